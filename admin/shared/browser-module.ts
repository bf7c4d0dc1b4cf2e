/** The engine's calls that need no server, where the page's policy lets WebAssembly run. */
import { createContext, useContext } from "react";
import type { BrowserModule } from "cf-forms/browser";

/** Null where there is no such module: what it would answer is asked of the API. */
export type LoadBrowserModule = () => Promise<BrowserModule | null>;

/** The smallest module: its name and version. */
const SMALLEST = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

let loaded: Promise<BrowserModule | null> | undefined;

/** Loads it from the package's folder beside the admin's, once. */
export function loadBrowserModule(): Promise<BrowserModule | null> {
  loaded ??= load().catch(() => null);
  return loaded;
}

async function load(): Promise<BrowserModule> {
  await WebAssembly.compile(SMALLEST);
  return (await import("cf-forms/browser")).loadBrowserModule();
}

const BrowserModuleContext = createContext<LoadBrowserModule>(() => Promise.resolve(null));
export const BrowserModuleProvider = BrowserModuleContext.Provider;
export const useLoadBrowserModule = (): LoadBrowserModule => useContext(BrowserModuleContext);
