/** Titles of the screens in the navigation, and texts of short screens, in every language side by side. */
export const screens = {
  "nav.forms": { en: "Forms", de: "Formulare" },
  "nav.inbox": { en: "Inbox", de: "Posteingang" },
  "nav.analytics": { en: "Analytics", de: "Auswertung" },
  "nav.deliveries": { en: "Deliveries", de: "Zustellungen" },
  "nav.privacy": { en: "Privacy", de: "Datenschutz" },
  "nav.users": { en: "Users", de: "Benutzer" },
  "nav.settings": { en: "Settings", de: "Einstellungen" },
  "nav.account": { en: "Account", de: "Konto" },
};
