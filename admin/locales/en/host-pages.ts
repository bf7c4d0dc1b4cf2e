/**
 * Texts of the embedded host's pages before and beside the admin: start page, sign-in, missing rights. The host fills in
 * their placeholders without a message parser, so a placeholder is `{name}` and nothing more.
 */
export const hostPages = {
  "host.forms": "Forms",
  "host.signIn": "Sign in",
  "host.signOut": "Sign out",
  "host.invitation": "This site serves forms. Sign in to work with them and with what came in.",
  "host.signedInAs": "You are signed in as",
  "host.openAdmin": "Open the admin",
  "host.apiIndex": "API index",
  "host.apiDocumentation": "API documentation",
  "host.addressOfForms": "A form's page is at {address} and its slug.",
  "host.userName": "User name",
  "host.password": "Password",
  "host.expired": "This form was open for too long, or cookies are off. Please try again.",
  "host.wrongPassword": "The user name or the password is wrong.",
  "host.tooMany": "Too many failed attempts. Try again in {seconds} seconds.",
  "host.noAccess": "No access",
  "host.mayNotSee": "Your account may not see forms or what came in. Ask an administrator.",
} as const;
