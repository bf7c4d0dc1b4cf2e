/**
 * Texts of the embedded host's pages before and beside the admin: start page, sign-in, missing rights. The host fills in
 * their placeholders without a message parser, so a placeholder is `{name}` and nothing more.
 */
export const hostPages = {
  "host.forms": "Forms",
  "host.signIn": "Sign in",
  "host.signOut": "Sign out",
  "host.invitation": "Sign in to manage your forms and submissions.",
  "host.signedInAs": "You are signed in as",
  "host.openAdmin": "Open admin",
  "host.apiIndex": "API root",
  "host.apiDocumentation": "API docs",
  "host.addressOfForms": "Live forms are at {address} followed by the form’s link.",
  "host.userName": "Username",
  "host.password": "Password",
  "host.expired": "This page expired, or cookies are blocked. Try again.",
  "host.wrongPassword": "Incorrect username or password.",
  "host.tooMany": "Too many attempts. Try again in {seconds} seconds.",
  "host.tooManyMinutes": "Too many attempts. Try again in {minutes} minutes.",
  "host.notBuilt": "The admin app hasn’t been built yet",
  "host.notBuiltText": "Run `npm run build`, then reload this page.",
  "host.noScript": "Turn on JavaScript to use the admin.",
  "host.noAccess": "No access",
  "host.mayNotSee": "Your account can’t open forms or submissions. Ask an administrator for access.",
} as const;
