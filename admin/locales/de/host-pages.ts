/** Texte der Seiten des eingebetteten Hosts. */
import type { hostPages as english } from "../en/host-pages.ts";

export const hostPages: Readonly<Record<keyof typeof english, string>> = {
  "host.forms": "Formulare",
  "host.signIn": "Anmelden",
  "host.signOut": "Abmelden",
  "host.invitation": "Melden Sie sich an, um Formulare und Einsendungen zu verwalten.",
  "host.signedInAs": "Angemeldet als",
  "host.openAdmin": "Verwaltung öffnen",
  "host.apiIndex": "API-Wurzel",
  "host.apiDocumentation": "API-Dokumentation",
  "host.addressOfForms": "Formulare erreichen Sie unter {address} mit dem Link des Formulars.",
  "host.userName": "Benutzername",
  "host.password": "Passwort",
  "host.expired": "Diese Seite ist abgelaufen, oder Cookies sind blockiert. Versuchen Sie es noch einmal.",
  "host.wrongPassword": "Benutzername oder Passwort ist falsch.",
  "host.tooMany": "Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden wieder.",
  "host.tooManyMinutes": "Zu viele Versuche. Versuchen Sie es in {minutes} Minuten wieder.",
  "host.notBuilt": "Die Verwaltung ist noch nicht gebaut",
  "host.notBuiltText": "Führen Sie `npm run build` aus und laden Sie diese Seite neu.",
  "host.noScript": "Schalten Sie JavaScript ein, um die Verwaltung zu benutzen.",
  "host.noAccess": "Kein Zugriff",
  "host.mayNotSee":
    "Ihr Konto hat keinen Zugang zu Formularen und Einsendungen. Bitten Sie eine Administratorin oder einen Administrator darum.",
};
