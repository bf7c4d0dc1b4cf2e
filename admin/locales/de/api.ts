/** Deutsche Texte für das, was die API auf Englisch sagt. Englisch hat diese Datei nicht: Dort zeigt der Admin die API. */
import { actions } from "./api-actions.ts";
import { faults } from "./api-faults.ts";
import { messages } from "./api-messages.ts";

/** Titel der Empfehlungen nach ihrer Kennung. */
const advice = {
  "advice.nothing_arrives": "Besucher beginnen, aber es kommt nichts an",
  "advice.failing_actions": "Aktionen schlagen fehl",
  "advice.few_starts": "Besucher sehen das Formular, beginnen aber nicht",
  "advice.few_completions": "Die meisten, die beginnen, senden nicht ab",
  "advice.too_many_fields": "Das Formular ist lang",
  "advice.slow_completion": "Das Ausfüllen dauert lange",
  "advice.mobile_gap": "Auf Smartphones wird seltener abgesendet",
  "advice.much_spam": "Viele Einsendungen sind Spam",
  "advice.views_missing": "Aufrufe werden nicht gezählt",
  "advice.field_drop_off": "Viele Besucher brechen bei einem Feld ab",
  "advice.required_field_skipped": "Wenige Besucher erreichen ein Pflichtfeld",
  "advice.first_field_drop_off": "Besucher brechen beim ersten Feld ab",
  "advice.late_drop_off": "Besucher brechen kurz vor dem Ende ab",
  "advice.submissions_stopped": "Es kommen keine Einsendungen mehr",
  "advice.spam_rising": "Spam nimmt zu",
  "advice.submissions_falling": "Weniger Einsendungen bei gleich vielen Aufrufen",
};

export const api: Readonly<Record<string, string>> = { ...actions, ...advice, ...faults, ...messages };
