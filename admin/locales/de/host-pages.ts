/** Texte der Seiten des eingebetteten Hosts. */
import type { hostPages as english } from "../en/host-pages.ts";

export const hostPages: Readonly<Record<keyof typeof english, string>> = {
  "host.forms": "Formulare",
  "host.signIn": "Anmelden",
  "host.signOut": "Abmelden",
  "host.invitation":
    "Diese Website bietet Formulare an. Melden Sie sich an, um mit ihnen und den Einsendungen zu arbeiten.",
  "host.signedInAs": "Angemeldet als",
  "host.openAdmin": "Verwaltung öffnen",
  "host.apiIndex": "Verzeichnis der API",
  "host.apiDocumentation": "Dokumentation der API",
  "host.addressOfForms": "Die Seite eines Formulars liegt unter {address} und seinem Kurznamen.",
  "host.userName": "Benutzername",
  "host.password": "Passwort",
  "host.expired":
    "Dieses Formular war zu lange offen, oder Cookies sind abgeschaltet. Bitte versuchen Sie es noch einmal.",
  "host.wrongPassword": "Der Benutzername oder das Passwort ist falsch.",
  "host.tooMany": "Zu viele Fehlversuche. Versuchen Sie es in {seconds} Sekunden wieder.",
  "host.noAccess": "Kein Zugang",
  "host.mayNotSee":
    "Ihr Konto darf weder Formulare noch Einsendungen sehen. Fragen Sie eine Administratorin oder einen Administrator.",
};
