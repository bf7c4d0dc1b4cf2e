/** Empfehlungen nach ihrer Kennung. */
import type { advice as english } from "../en/advice.ts";

export const advice: Readonly<Record<keyof typeof english, string>> = {
  "advice.nothing_arrives.text":
    "Besucher haben dieses Formular begonnen, aber niemand konnte es absenden. Füllen Sie es selbst aus: Vielleicht ist ein Pflichtfeld ausgeblendet, ein Muster zu streng oder das Formular geschlossen.",
  "advice.failing_actions.text":
    "{value} % der Aktionen dieses Formulars sind in den letzten 24 Stunden fehlgeschlagen. Die Gründe stehen unter Zustellungen.",
  "advice.few_starts.text":
    "Nur {value} % der Aufrufe führen zu einem Beginn. Sagen Sie über dem Formular, was Besucher davon haben, zeigen Sie zu Beginn weniger Felder und stellen Sie eine leichte Frage voran.",
  "advice.few_completions.text":
    "Nur {value} % derer, die beginnen, senden ab. Sehen Sie nach, bei welchen Feldern Besucher abbrechen, fragen Sie weniger, und prüfen Sie, welche Antworten abgelehnt werden.",
  "advice.too_many_fields.text":
    "Das Formular hat {value} Felder, und weniger als die Hälfte derer, die beginnen, sendet ab. Entfernen Sie Felder, die niemand braucht, oder teilen Sie das Formular in Schritte.",
  "advice.slow_completion.text":
    "Die Hälfte der Besucher braucht mehr als {value} Sekunden. Füllen Sie Bekanntes vorab aus, bieten Sie Auswahlen statt langer Texte an, und lassen Sie Browser Namen und Adressen einsetzen.",
  "advice.mobile_gap.text":
    "Auf Smartphones wird nur {value} % so oft abgesendet wie sonst. Verwenden Sie die Felder E-Mail, Telefon, Zahl und Datum, die die passende Tastatur öffnen, und ordnen Sie Felder untereinander an.",
  "advice.much_spam.text":
    "{value} % der Einsendungen sind Spam. Spam liegt getrennt und löst keine Aktionen aus. Eine Grenze je IP-Adresse oder ein CAPTCHA verringert ihn.",
  "advice.views_missing.text":
    "Auf 100 Einsendungen kommen nur {value} Aufrufe. Wo das Formular eingebettet ist, fehlt das Skript oder es wird blockiert. Bis dahin sind die Quoten unzuverlässig.",
  "advice.field_drop_off.text":
    "{value} % der Besucher, die abbrechen, tun es bei „{field}“. Wenn Sie das Feld brauchen, sagen Sie, wozu, zeigen Sie ein Beispiel, oder machen Sie es freiwillig.",
  "advice.required_field_skipped.text":
    "Nur {value} % derer, die beginnen, füllen das Pflichtfeld „{field}“ aus. Machen Sie es freiwillig, oder verschieben Sie es weiter nach unten.",
  "advice.first_field_drop_off.text":
    "{value} % der Besucher, die abbrechen, kommen nicht über „{field}“ hinaus. Beginnen Sie mit der leichtesten Frage, und fragen Sie Persönliches zuletzt.",
  "advice.late_drop_off.text":
    "{value} % der Besucher, die abbrechen, waren schon im letzten Drittel. Teilen Sie das Formular in Schritte, zeigen Sie den Fortschritt, und entfernen Sie, was Sie nicht brauchen.",
  "advice.submissions_stopped.text":
    "In den letzten 7 Tagen kam keine Einsendung, in den drei Wochen davor schon. Öffnen Sie die Seite mit dem Formular und senden Sie selbst eine ab.",
  "advice.spam_rising.text":
    "{value} % der Einsendungen der letzten 7 Tage sind Spam, mehr als in den drei Wochen davor. Suchen Sie nach einem Muster, und begrenzen Sie die Einsendungen je IP-Adresse.",
  "advice.submissions_falling.text":
    "In den letzten zwei Wochen kamen weniger Einsendungen als in den zwei davor, bei ebenso vielen Aufrufen. Sehen Sie nach, was sich am Formular oder an seiner Seite geändert hat.",
};
