/** Deutsche Texte für das, was die API auf Englisch sagt. Englisch hat diese Datei nicht: Dort zeigt der Admin die API. */
import { actions } from "./api-actions.ts";
import { faults } from "./api-faults.ts";

/** Titel der Empfehlungen nach ihrer Kennung. */
const advice = {
  "advice.nothing_arrives": "Besucher beginnen, aber nichts kommt an",
  "advice.failing_actions": "Aktionen schlagen fehl",
  "advice.few_starts": "Besucher sehen das Formular und gehen weiter",
  "advice.few_completions": "Die meisten, die beginnen, werden nicht fertig",
  "advice.too_many_fields": "Das Formular fragt nach viel",
  "advice.slow_completion": "Das Ausfüllen dauert lange",
  "advice.mobile_gap": "Auf Telefonen wird seltener abgesendet",
  "advice.much_spam": "Vieles, was ankommt, ist Spam",
  "advice.views_missing": "Aufrufe werden nicht gezählt",
  "advice.field_drop_off": "Viele Besucher gehen bei einem Feld",
  "advice.required_field_skipped": "Wenige Besucher füllen ein Pflichtfeld aus",
  "advice.first_field_drop_off": "Besucher gehen beim ersten Feld",
  "advice.late_drop_off": "Besucher geben kurz vor dem Ende auf",
  "advice.submissions_stopped": "Es kommt nichts mehr an",
  "advice.spam_rising": "Der Spam nimmt zu",
  "advice.submissions_falling": "Weniger Einsendungen von ebenso vielen Besuchern",
};

export const api: Readonly<Record<string, string>> = { ...actions, ...advice, ...faults };
