/** Types of modules that have none: styles that Vite bundles, and a private module of React Aria. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
declare module "*.css";
declare module "react-stately/private/flags/flags" {
  export function enableShadowDOM(): void;
}
