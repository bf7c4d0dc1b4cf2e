/** States of deliveries, as every screen names them. */
export const delivery = {
  "delivery.waiting": "Waiting",
  "delivery.running": "Running",
  "delivery.kept": "Kept in outbox",
  "delivery.keptHelp": "No mail server is set up, so the email was not sent.",
  "delivery.accepted": "Accepted by the mail server",
  "delivery.acceptedHelp": "Whether it was delivered or bounced is not known.",
  "delivery.acceptedCode": "Accepted ({code})",
  "delivery.willRetry": "Will retry at {at}",
  "delivery.willRetrySoon": "Will retry",
  "delivery.failed": "Failed",
  "delivery.skipped": "Skipped",
  "delivery.canceled": "Canceled",
  "delivery.done": "Done",
  "delivery.failedBadge": "Delivery failed",
} as const;
