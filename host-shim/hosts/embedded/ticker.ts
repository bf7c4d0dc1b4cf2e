/** Repeats a task with a pause between the end of one run and the start of the next. */
export interface Ticker {
  /** Starts no further run; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Starts the repetition. A failed run is reported and does not end it. */
export function startTicker(
  task: () => Promise<unknown>,
  pauseMs: number,
  onFailure: (error: unknown) => void,
): Ticker {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(tick, pauseMs);

  function tick(): void {
    running = run();
  }

  async function run(): Promise<void> {
    try {
      await task();
    } catch (error) {
      onFailure(error);
    }
    if (!stopped) timer = setTimeout(tick, pauseMs);
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
