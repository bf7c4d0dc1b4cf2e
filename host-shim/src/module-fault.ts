/** Loading of parts that are imported when a request first needs them. */

import { reasonOf } from "./reason.ts";

/** A part of the engine that could not be loaded: a fault of the installation, not of the request. */
export class ModuleFault extends Error {}

/** Awaits the import of a module, and rejects with a {@link ModuleFault} that names the module. */
export async function loaded<T>(name: string, module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch (error) {
    throw new ModuleFault(`${name} could not be loaded: ${reasonOf(error)}`, { cause: error });
  }
}
