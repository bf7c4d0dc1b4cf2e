/** Was die API in ganzen Sätzen sagt: Ergebnisse von Aktionen, Hinweise, Fehler. Nach ihrem englischen Wortlaut. */
export const messages = {
  "english.Accepted by the mail server for {recipients}.": "Vom Mailserver angenommen für {recipients}.",
  "english.Kept in the outbox, not sent, for {recipients}.": "Im Postausgang für {recipients}, nicht versandt.",
  "english.This site has no mail server.": "Diese Website hat keinen Mailserver.",
  "english.This site sends no HTTP requests.": "Diese Website sendet keine HTTP-Anfragen.",
  "english.No recipient is set.": "Es ist kein Empfänger angegeben.",
  "english.There are more than {count} recipients.": "Es sind mehr als {count} Empfänger.",
  "english.“{text}” is not an email address.": "„{text}“ ist keine E-Mail-Adresse.",
  "english.File links were left out because the site has no public URL.":
    "Dateilinks fehlen, weil die Website keine öffentliche URL hat.",
  "english.Not attached, because the files exceed 10 MB in total: {files}.":
    "Nicht angehängt, weil die Dateien zusammen über 10 MB haben: {files}.",
  "english.The header {name} can’t be set.": "Die Kopfzeile {name} lässt sich nicht setzen.",
  "english.The conditions were not met.": "Die Bedingungen waren nicht erfüllt.",
  "english.The conditions are invalid: {reason}": "Die Bedingungen sind ungültig: {reason}",
  "english.Not set up yet: {labels} is empty.": "Noch nicht eingerichtet: {labels} ist leer.",
  "english.The plugin skipped this action.": "Das Plugin hat diese Aktion übersprungen.",
  "english.No plugin on this site handles “{type}” actions.":
    "Kein Plugin dieser Website führt Aktionen vom Typ „{type}“ aus.",
  "english.The server responded with {status}: {words}": "Der Server antwortete mit {status}: {words}",
  "english.The server responded with {status}.": "Der Server antwortete mit {status}.",
  "english.The URL must start with https:// or http://.": "Die URL muss mit https:// oder http:// beginnen.",
  "english.The answer in {field} is not an email address.": "Die Antwort in {field} ist keine E-Mail-Adresse.",
  "english.There is nothing to send.": "Es gibt nichts zu senden.",
  "english.{label} is empty.": "{label} ist leer.",
  "english.The form was deleted.": "Das Formular wurde gelöscht.",
  "english.The submission was deleted.": "Die Einsendung wurde gelöscht.",
  "english.The file doesn’t include this secret. Enter it again.":
    "Die Datei enthält dieses Geheimnis nicht. Geben Sie es neu ein.",
  "english.This check is off because a setting is missing. Fill it in, then turn the check on.":
    "Diese Prüfung ist aus, weil eine Einstellung fehlt. Füllen Sie sie aus und schalten Sie sie dann ein.",
  "english.This form was imported before and was left unchanged.":
    "Dieses Formular wurde schon importiert und bleibt unverändert.",
  "english.The file is empty.": "Die Datei ist leer.",
  "english.This file is neither XML nor JSON: {error}.": "Diese Datei ist weder XML noch JSON: {error}.",
  "english.Enter a field name.": "Geben Sie einen Feldnamen ein.",
  "english.This name is reserved. Choose another one.": "Dieser Name ist reserviert. Wählen Sie einen anderen.",
  "english.Two options have the same value.": "Zwei Optionen haben denselben Wert.",
  "english.Another field already uses the name “{name}”.": "Ein anderes Feld heißt bereits „{name}“.",
  "english.The field “{name}” doesn’t exist.": "Das Feld „{name}“ gibt es nicht.",
  "english.These {what} depend on each other: {names}.": "Diese hängen voneinander ab: {names}.",
  "english.The minimum can’t be greater than the maximum.": "Das Minimum darf nicht größer als das Maximum sein.",
  "english.Enter an https URL or a path on this site.":
    "Geben Sie eine https-URL oder einen Pfad auf dieser Website ein.",
  "english.Enter a site address without a path, like https://example.org.":
    "Geben Sie eine Adresse ohne Pfad ein, zum Beispiel https://example.org.",
  "english.Enter a URL or a path.": "Geben Sie eine URL oder einen Pfad ein.",
  "english.You already have {count} application passwords. Revoke one first.":
    "Sie haben bereits {count} Anwendungspasswörter. Widerrufen Sie zuerst eines.",
};
