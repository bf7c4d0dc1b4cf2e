/**
 * Compares the engine in its embedded host with the hand-written host, and with a baseline without the engine
 * (hosts/bare.ts), which the output calls the floor. The hosts take turns in one run.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, startServer, type Load, type Round, type Server } from "./load.ts";
import type { Measurement } from "./section.ts";

const ROUNDS = 5;
const PROGRAMS = { engine: "hosts/engine.ts", handWritten: "hand-written/host.ts", bare: "hosts/bare.ts" } as const;

type Name = keyof typeof PROGRAMS;

export interface Comparison {
  readonly what: string;
  /** Load for each host; the paths differ. */
  readonly loads: Readonly<Record<Name, Load>>;
  /** Minimum percentage of the hand-written host's requests per second. */
  readonly atLeast: number;
}

/** Returns the best round, because other load on the machine only slows a round. */
function best(rounds: readonly Round[]): Round {
  return {
    perSecond: Math.max(...rounds.map(({ perSecond }) => perSecond)),
    main: Math.min(...rounds.map(({ main }) => main)),
    all: Math.min(...rounds.map(({ all }) => all)),
  };
}

export async function compareHosts({ what, loads, atLeast }: Comparison): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-bench-"));
  const names: Name[] = ["engine", "handWritten", "bare"];
  const servers = new Map<Name, Server>();
  try {
    for (const name of names) servers.set(name, await startServer(PROGRAMS[name], folder));
    const rounds: Record<Name, Round[]> = { engine: [], handWritten: [], bare: [] };
    for (let n = 0; n <= ROUNDS; n += 1) {
      for (const [name, server] of servers) {
        const round = await server.round(loads[name]);
        // The first round is the warm-up.
        if (n > 0) rounds[name].push(round);
      }
    }
    const [engine, handWritten, bare] = [best(rounds.engine), best(rounds.handWritten), best(rounds.bare)];
    const shown = ({ perSecond, main, all }: Round) =>
      `${Math.round(perSecond)}/s ${Math.round(main)} µs (${Math.round(all)} in all threads)`;
    return {
      what,
      value: (engine.perSecond / handWritten.perSecond) * 100,
      unit: "%",
      budget: { atLeast },
      detail: `engine ${shown(engine)}, hand-written ${shown(handWritten)}, floor ${shown(bare)}; best of ${ROUNDS}, ${client}`,
    };
  } finally {
    await Promise.all([...servers.values()].map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}
