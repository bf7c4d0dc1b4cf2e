/** What Vite makes of files that are no modules. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
declare module "*.css";
declare module "react-stately/private/flags/flags" {
  export function enableShadowDOM(): void;
}
