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
  "delivery.problem.host": "Der Name des Servers ist nicht zu finden. Prüfen Sie die Adresse.",
  "delivery.problem.port": "Unter dieser Adresse antwortet nichts. Der Server läuft nicht, oder der Port ist falsch.",
  "delivery.problem.timeout": "Der Server hat nicht rechtzeitig geantwortet.",
  "delivery.problem.security": "Der Server verwendet diese Verschlüsselung nicht. Prüfen Sie Port und Verschlüsselung.",
  "delivery.problem.certificate": "Das Zertifikat des Servers ist nicht vertrauenswürdig. Es wurde nichts übertragen.",
  "delivery.problem.sign_in": "Der Mailserver hat Benutzername oder Passwort nicht angenommen.",
};
