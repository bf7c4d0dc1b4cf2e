/** A provider of mail that writes subjects into a file. */
import { appendFileSync } from "node:fs";
import { definePlugin } from "emdash";

export function createPlugin(): object {
  return definePlugin({
    id: "mail-sink",
    version: "1.0.0",
    capabilities: ["hooks.email-transport:register"],
    hooks: {
      "email:deliver": {
        exclusive: true,
        handler: async ({ message }: { message: { subject: string } }) =>
          appendFileSync("mails.txt", `${message.subject}\n`),
      },
    },
  });
}
