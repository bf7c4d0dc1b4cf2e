/** Empfehlungen nach ihrer Kennung. */
import type { advice as english } from "../en/advice.ts";

export const advice: Readonly<Record<keyof typeof english, string>> = {
  "advice.nothing_arrives.text":
    "Besucher haben dieses Formular begonnen, und niemand konnte es absenden. Füllen Sie es selbst aus: Vielleicht ist ein Pflichtfeld verborgen, ein Muster zu streng oder das Formular geschlossen.",
  "advice.failing_actions.text":
    "{value} % der Aktionen dieses Formulars sind in den letzten 24 Stunden fehlgeschlagen. Was sie meldeten, steht im Protokoll der Aktionen.",
  "advice.few_starts.text":
    "Nur {value} % der Aufrufe führen zu einem Beginn. Sagen Sie über dem Formular, was Besucher davon haben, zeigen Sie zunächst weniger Felder und beginnen Sie mit einem leichten.",
  "advice.few_completions.text":
    "Nur {value} % derer, die beginnen, senden ab. Die Abbrüche je Feld zeigen, wo Besucher aufhören; fragen Sie weniger, und sehen Sie nach, was die Prüfung ablehnt.",
  "advice.too_many_fields.text":
    "Das Formular hat {value} Felder, und weniger als die Hälfte derer, die beginnen, wird fertig. Jedes Feld kostet Besucher: Streichen Sie, was niemand braucht, oder teilen Sie das Formular in Schritte.",
  "advice.slow_completion.text":
    "Die Hälfte der Besucher braucht mehr als {value} Sekunden. Füllen Sie Bekanntes vor, bieten Sie Auswahlen statt langer Texte an und lassen Sie Browser Namen und Adressen einsetzen.",
  "advice.mobile_gap.text":
    "Auf Telefonen wird nur {value} % so oft abgesendet wie sonst. Nehmen Sie die Feldtypen E-Mail, Telefon, Zahl und Datum, die die passende Tastatur zeigen, und stellen Sie Felder untereinander.",
  "advice.much_spam.text":
    "{value} % des Gesendeten sind Spam. Er liegt getrennt und löst keine Aktionen aus; eine Grenze je Adresse macht das Senden teurer.",
  "advice.views_missing.text":
    "Auf 100 Einsendungen kommen nur {value} Aufrufe. Wo das Formular eingebettet ist, fehlt sein Skript oder es wird blockiert; bis dahin sagen die Quoten nichts.",
  "advice.field_drop_off.text":
    "{value} % der Besucher, die abbrechen, tun es bei „{field}“. Fragen Sie sich, ob Sie es brauchen; wenn ja, sagen Sie, wozu, zeigen Sie ein Beispiel, oder machen Sie es freiwillig.",
  "advice.required_field_skipped.text":
    "Nur {value} % der Besucher, die beginnen, kommen bis „{field}“ und füllen es aus, obwohl es Pflicht ist. Machen Sie es freiwillig, oder stellen Sie es dorthin, wo Besucher dazu bereit sind.",
  "advice.first_field_drop_off.text":
    "{value} % der Besucher, die abbrechen, kommen nicht über „{field}“ hinaus. Beginnen Sie mit der leichtesten Frage, und lassen Sie persönliche für das Ende.",
  "advice.late_drop_off.text":
    "{value} % der Besucher, die abbrechen, waren schon im letzten Drittel der Felder. Teilen Sie das Formular in Schritte, zeigen Sie, wie weit es noch ist, und streichen Sie, was Sie nicht brauchen.",
  "advice.submissions_stopped.text":
    "In den letzten 7 Tagen kam keine Einsendung, in den drei Wochen davor schon. Sehen Sie die Seite mit dem Formular an, und senden Sie selbst eine.",
  "advice.spam_rising.text":
    "{value} % des in den letzten 7 Tagen Gesendeten sind Spam, mehr als in den drei Wochen davor. Suchen Sie nach einem Muster, und begrenzen Sie, wie oft eine Adresse senden darf.",
  "advice.submissions_falling.text":
    "In den letzten zwei Wochen kamen weniger Einsendungen als in den zwei davor, obwohl das Formular ebenso oft gesehen wurde. Sehen Sie nach, was am Formular oder an seiner Seite geändert wurde.",
};
