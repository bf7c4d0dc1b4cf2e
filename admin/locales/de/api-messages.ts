/** Was die API in ganzen Sätzen sagt: Ergebnisse von Aktionen, Hinweise, Fehler. Nach ihrem englischen Wortlaut. */
export const messages = {
  "said.Accepted by the mail server for {recipients}.": "Vom Mailserver angenommen für {recipients}.",
  "said.Kept in the outbox, not sent, for {recipients}.": "Im Postausgang für {recipients}, nicht versandt.",
  "said.This site has no mail server.": "Diese Website hat keinen Mailserver.",
  "said.This site sends no HTTP requests.": "Diese Website sendet keine HTTP-Anfragen.",
  "said.No recipient is set.": "Es ist kein Empfänger angegeben.",
  "said.There are more than {count} recipients.": "Es sind mehr als {count} Empfänger.",
  "said.“{text}” is not an email address.": "„{text}“ ist keine E-Mail-Adresse.",
  "said.File links were left out because the site has no public URL.":
    "Dateilinks fehlen, weil die Website keine öffentliche URL hat.",
  "said.Not attached, because the files exceed 10 MB in total: {files}.":
    "Nicht angehängt, weil die Dateien zusammen über 10 MB haben: {files}.",
  "said.The header {name} can’t be set.": "Die Kopfzeile {name} lässt sich nicht setzen.",
  "said.The conditions were not met.": "Die Bedingungen waren nicht erfüllt.",
  "said.The conditions are invalid: {reason}": "Die Bedingungen sind ungültig: {reason}",
  "said.Not set up yet: {labels} is empty.": "Noch nicht eingerichtet: {labels} ist leer.",
  "said.Not set up yet.": "Noch nicht eingerichtet.",
  "said.No plugin on this site handles “{type}” actions.":
    "Kein Plugin dieser Website führt Aktionen vom Typ „{type}“ aus.",
  "said.The server responded with {status}: {words}": "Der Server antwortete mit {status}: {words}",
  "said.The server responded with {status}.": "Der Server antwortete mit {status}.",
  "said.The URL must start with https:// or http://.": "Die URL muss mit https:// oder http:// beginnen.",
  "said.The answer in {field} is not an email address.": "Die Antwort in {field} ist keine E-Mail-Adresse.",
  "said.There is nothing to send.": "Es gibt nichts zu senden.",
  "said.{label} is empty.": "{label} ist leer.",
  "said.The form was deleted.": "Das Formular wurde gelöscht.",
  "said.The submission was deleted.": "Die Einsendung wurde gelöscht.",
  "said.The file doesn’t include this secret. Enter it again.":
    "Die Datei enthält dieses Geheimnis nicht. Geben Sie es neu ein.",
  "said.This check is off because a setting is missing. Fill it in, then turn the check on.":
    "Diese Prüfung ist aus, weil eine Einstellung fehlt. Füllen Sie sie aus und schalten Sie sie dann ein.",
  "said.This form was imported before and was left unchanged.":
    "Dieses Formular wurde schon importiert und bleibt unverändert.",
  "said.The file is empty.": "Die Datei ist leer.",
  "said.This file is neither XML nor JSON: {error}.": "Diese Datei ist weder XML noch JSON: {error}.",
  "said.Enter a field name.": "Geben Sie einen Feldnamen ein.",
  "said.This name is reserved. Choose another one.": "Dieser Name ist reserviert. Wählen Sie einen anderen.",
  "said.Two options have the same value.": "Zwei Optionen haben denselben Wert.",
  "said.Another field already uses the name “{name}”.": "Ein anderes Feld heißt bereits „{name}“.",
  "said.The field “{name}” doesn’t exist.": "Das Feld „{name}“ gibt es nicht.",
  "said.These {what} depend on each other: {names}.": "Diese hängen voneinander ab: {names}.",
  "said.The minimum can’t be greater than the maximum.": "Das Minimum darf nicht größer als das Maximum sein.",
  "said.Enter an https URL or a path on this site.": "Geben Sie eine https-URL oder einen Pfad auf dieser Website ein.",
  "said.Enter a site address without a path, like https://example.org.":
    "Geben Sie eine Adresse ohne Pfad ein, zum Beispiel https://example.org.",
  "said.Enter a URL or a path.": "Geben Sie eine URL oder einen Pfad ein.",
  "said.You already have {count} application passwords. Revoke one first.":
    "Sie haben bereits {count} Anwendungspasswörter. Widerrufen Sie zuerst eines.",
};
