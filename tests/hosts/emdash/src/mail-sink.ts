/** A provider of mail that writes subjects into a file, and the ticks of its cron task into another. */
import { appendFileSync } from "node:fs";
import { definePlugin } from "emdash";

interface Context {
  readonly cron: { schedule(name: string, task: { schedule: string }): Promise<void> };
}

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
      cron: { handler: async () => appendFileSync("ticks.txt", "tick\n") },
    },
    routes: {
      boot: {
        handler: async ({ cron }: Context) => {
          await cron.schedule("tick", { schedule: "* * * * * *" });
          return {};
        },
      },
    },
  });
}
