/** Texts of the host's pages, in the languages of the admin. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";

const ENGLISH = {
  language: "en",
  forms: "Forms",
  signIn: "Sign in",
  signOut: "Sign out",
  invitation: "This site serves forms. Sign in to work with them and with what came in.",
  signedInAs: "You are signed in as",
  openAdmin: "Open the admin",
  apiIndex: "API index",
  apiDocumentation: "API documentation",
  addressOfForms: (address: string) => `A form's page is at ${address} and its slug.`,
  userName: "User name",
  password: "Password",
  expired: "This form was open for too long, or cookies are off. Please try again.",
  wrongPassword: "The user name or the password is wrong.",
  tooMany: (seconds: number) => `Too many failed attempts. Try again in ${seconds} seconds.`,
  noAccess: "No access",
  mayNotSee: "Your account may not see forms or what came in. Ask an administrator.",
} as const;

type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };
export type PageWords = Texts<typeof ENGLISH>;

const GERMAN: PageWords = {
  language: "de",
  forms: "Formulare",
  signIn: "Anmelden",
  signOut: "Abmelden",
  invitation: "Diese Website bietet Formulare an. Melden Sie sich an, um mit ihnen und den Einsendungen zu arbeiten.",
  signedInAs: "Angemeldet als",
  openAdmin: "Verwaltung öffnen",
  apiIndex: "Verzeichnis der API",
  apiDocumentation: "Dokumentation der API",
  addressOfForms: (address) => `Die Seite eines Formulars liegt unter ${address} und seinem Kurznamen.`,
  userName: "Benutzername",
  password: "Passwort",
  expired: "Dieses Formular war zu lange offen, oder Cookies sind abgeschaltet. Bitte versuchen Sie es noch einmal.",
  wrongPassword: "Der Benutzername oder das Passwort ist falsch.",
  tooMany: (seconds) => `Zu viele Fehlversuche. Versuchen Sie es in ${seconds} Sekunden wieder.`,
  noAccess: "Kein Zugang",
  mayNotSee:
    "Ihr Konto darf weder Formulare noch Einsendungen sehen. Fragen Sie eine Administratorin oder einen Administrator.",
};

const LANGUAGES: Readonly<Record<string, PageWords>> = { en: ENGLISH, de: GERMAN };

/** Returns the texts in the browser's preferred available language (`Accept-Language`, RFC 9110); else in English. */
export function wordsFor(c: Context): PageWords {
  const language = accepts(c, {
    header: "Accept-Language",
    supports: Object.keys(LANGUAGES),
    default: "en",
    match(liked, { supports, default: otherwise }) {
      const names = [...liked]
        .sort((one, other) => other.q - one.q)
        .map(({ type }) => type.toLowerCase().split("-")[0] ?? "");
      return names.find((name) => supports.includes(name)) ?? otherwise;
    },
  });
  return LANGUAGES[language] ?? ENGLISH;
}
