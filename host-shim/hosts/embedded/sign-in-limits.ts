/** Limits guesses of an account's password, at the sign-in and at a password change. */
import { createAttemptLimit, type AttemptLimit } from "./attempt-limit.ts";
import { addressBlock } from "./client-address.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { Users } from "./users.ts";

/** Limits for failures in the window. The limit of a login is for all addresses together. */
const FAILURES_PER_ADDRESS = 10;
const FAILURES_PER_LOGIN = 50;
const FAILURES_PER_DEVICE = 10;
const WINDOW_SECONDS = 15 * 60;

/** Number of a login's characters that count. */
const MAX_LOGIN_LENGTH = 60;

export interface SignInAttempt {
  /** Seconds that the client must wait; 0 when its password can be checked now. */
  readonly secondsToWait: number;
  /** Removes the count, because the password was right. */
  forgive(): Promise<void>;
}

export interface SignInLimits {
  /** Counts an attempt as a failure, until it is forgiven. */
  begin(request: Request, login: string): Promise<SignInAttempt>;
}

export interface SignInLimitServices {
  readonly users: Users;
  readonly devices: KnownDevices;
  clientAddress(request: Request): string | null;
}

/**
 * Creates the limits. A known device of the account has a separate limit. All others count by address, and together by
 * login. Guessing from many addresses therefore slows down strangers, not the owner.
 */
export function createSignInLimits({ users, devices, clientAddress }: SignInLimitServices): SignInLimits {
  const perAddress = createAttemptLimit("sign_in_address", FAILURES_PER_ADDRESS, WINDOW_SECONDS);
  const perLogin = createAttemptLimit("sign_in_login", FAILURES_PER_LOGIN, WINDOW_SECONDS);
  const perDevice = createAttemptLimit("sign_in_device", FAILURES_PER_DEVICE, WINDOW_SECONDS);

  async function countersOf(request: Request, login: string): Promise<readonly (readonly [AttemptLimit, string])[]> {
    const account = devices.isClaimed(request) ? await users.findAccount(login) : null;
    const device = account === null ? null : devices.find(request, account);
    if (account !== null && device !== null) return [[perDevice, `${account.user.id} ${device}`]];
    return [
      [perAddress, addressBlock(clientAddress(request))],
      [perLogin, login.slice(0, MAX_LOGIN_LENGTH)],
    ];
  }

  return {
    async begin(request, login) {
      const taken: (readonly [AttemptLimit, string])[] = [];
      const forgive = async (): Promise<void> => {
        await Promise.all(taken.splice(0).map(([limit, key]) => limit.forgive(key)));
      };
      for (const [limit, key] of await countersOf(request, login)) {
        const secondsToWait = await limit.take(key);
        if (secondsToWait > 0) {
          await forgive();
          return { secondsToWait, forgive };
        }
        taken.push([limit, key]);
      }
      return { secondsToWait: 0, forgive };
    },
  };
}
