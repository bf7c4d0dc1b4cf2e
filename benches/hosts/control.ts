/** What each host of a benchmark does beside serving: it names its address and tells the CPU time it has used. */

export interface Started {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts the host in this process and answers the questions of the process that started it, until told to end. */
export async function runHost(start: (folder: string) => Promise<Started>): Promise<void> {
  const [folder] = process.argv.slice(2);
  if (folder === undefined || process.send === undefined) throw new Error("this program is started by a benchmark");
  const host = await start(folder);
  process.on("message", (question) => {
    if (question === "end") return void host.close().then(() => process.exit(0));
    const [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
    process.send?.({ main: main.user + main.system, all: all.user + all.system });
  });
  process.send({ origin: host.origin });
}
