/** Zustände der Zustellungen, wie jeder Bildschirm sie nennt. */
import type { delivery as english } from "../en/delivery.ts";

export const delivery: Readonly<Record<keyof typeof english, string>> = {
  "delivery.waiting": "Wartet",
  "delivery.running": "Läuft",
  "delivery.kept": "Im Postausgang",
  "delivery.keptHelp": "Es ist kein Mailserver eingerichtet, die E-Mail wurde also nicht versandt.",
  "delivery.accepted": "Vom Mailserver angenommen",
  "delivery.acceptedHelp": "Ob sie zugestellt wurde oder zurückkam, ist nicht bekannt.",
  "delivery.acceptedCode": "Angenommen ({code})",
  "delivery.willRetry": "Nächster Versuch um {at}",
  "delivery.willRetrySoon": "Wird wiederholt",
  "delivery.failed": "Fehlgeschlagen",
  "delivery.skipped": "Übersprungen",
  "delivery.canceled": "Abgebrochen",
  "delivery.done": "Erledigt",
  "delivery.failedBadge": "Zustellung fehlgeschlagen",
};
