/** A started host of a benchmark, which reports its address and its CPU time. */

export interface Started {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts the host in this process, and handles messages of the parent process until the host is stopped. */
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
