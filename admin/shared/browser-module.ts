/** The engine's WebAssembly module for browsers, if the page's content security policy allows WebAssembly. */
import { createContext, useContext } from "react";
import type { BrowserModule } from "cf-forms/browser";

/** Loads the module. Null if the module cannot run; then the admin calls the API instead. */
export type LoadBrowserModule = () => Promise<BrowserModule | null>;

/** An empty module: magic number and version. Compiling fails if the policy forbids WebAssembly. */
const SMALLEST = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

let loaded: Promise<BrowserModule | null> | undefined;

/** Loads the module once, from the package's folder beside the admin's. */
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
