import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import { guardedFetch, type GuardedFetchOptions } from "../../host-shim/adapters/guarded-fetch.ts";
import { httpConformance, httpTarget } from "../../host-shim/conformance/http.ts";
import type { HttpRequest } from "../../host-shim/src/ports.ts";

const get = (url: string): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  body: null,
  timeout_ms: 3_000,
  max_bytes: 1_000,
});

async function listen(server: Server, address = "127.0.0.1"): Promise<number> {
  server.listen(0, address);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** Fake DNS: returns the addresses of known names in sequence. */
function resolverOf(answers: Record<string, string[][]>): NonNullable<GuardedFetchOptions["resolve"]> {
  const resolve = (
    name: string,
    _options: unknown,
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    const addresses = answers[name]?.shift() ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return resolve as unknown as NonNullable<GuardedFetchOptions["resolve"]>;
}

describe("the guarded HTTP adapter", () => {
  httpConformance({
    test,
    open: async () => {
      const server = createServer(getRequestListener(httpTarget));
      const port = await listen(server);
      const http = guardedFetch({ allowPrivate: (_hostname, address, to) => address === "127.0.0.1" && to === port });
      return {
        http,
        origin: `http://127.0.0.1:${port}`,
        close: async () => {
          await http.close();
          await stop(server);
        },
      };
    },
  });

  test("no spelling of a private, local or special address is reached", async (t) => {
    const server = createServer((_request, response) => {
      reached += 1;
      response.end();
    });
    let reached = 0;
    const port = await listen(server, "::");
    const http = guardedFetch();
    t.after(async () => {
      await http.close();
      await stop(server);
    });
    const hosts = [
      ..."localhost 127.0.0.1 127.1 127.0.0.1. 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0".split(
        " ",
      ),
      ..."10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 169.254.0.1 192.0.0.1 192.0.2.1 198.18.0.1".split(
        " ",
      ),
      ..."224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 %31%32%37.0.0.1 ①②⑦.⓪.⓪.①".split(" "),
      ..."[::] [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1]".split(
        " ",
      ),
      ..."[2002:7f00:1::] [2001::1] [2001:db8::1] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [100::1]".split(
        " ",
      ),
    ];
    for (const host of hosts) {
      await assert.rejects(http.fetch(get(`http://${host}:${port}/`)), /is not a public address/, host);
    }
    assert.equal(reached, 0);
  });

  test("a name that resolves to a private address is rejected, even if it also has public ones", async (t) => {
    const answers = {
      "private.example": [["10.0.0.1"]],
      "mixed.example": [["93.184.215.14", "127.0.0.1"]],
      "mapped.example": [["::ffff:10.0.0.1"]],
      "nowhere.example": [[]],
    };
    const http = guardedFetch({ resolve: resolverOf(answers) });
    t.after(() => http.close());
    for (const name of ["private.example", "mixed.example", "mapped.example"]) {
      await assert.rejects(http.fetch(get(`https://${name}/`)), new RegExp(`refused to connect to ${name}`));
    }
    await assert.rejects(http.fetch(get("http://nowhere.example/")), /no address/);
  });

  test("the connection goes to the checked address, and the server still gets the name", async (t) => {
    const hosts: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      hosts.push(request.headers.host);
      response.setHeader("connection", "close").end("ok");
    });
    const port = await listen(server);
    const checked: unknown[] = [];
    const http = guardedFetch({
      resolve: resolverOf({ "rebinding.example": [["127.0.0.1"], ["10.0.0.1"]] }),
      allowPrivate: (...target) => {
        checked.push(target);
        return target[1] === "127.0.0.1";
      },
    });
    t.after(async () => {
      await http.close();
      await stop(server);
    });
    const url = `http://rebinding.example:${port}/`;
    assert.equal((await http.fetch(get(url))).status, 200);
    assert.deepEqual(hosts, [`rebinding.example:${port}`]);
    // The address of the second lookup is checked like the first.
    await assert.rejects(http.fetch(get(url)), /10\.0\.0\.1 is not a public address/);
    assert.deepEqual(checked, [
      ["rebinding.example", "127.0.0.1", port],
      ["rebinding.example", "10.0.0.1", port],
    ]);
  });

  test("allowPrivate gets the scheme's default port if the address has no port", async (t) => {
    const ports: number[] = [];
    const http = guardedFetch({
      allowPrivate: (_hostname, _address, port) => {
        ports.push(port);
        return false;
      },
    });
    t.after(() => http.close());
    for (const url of ["http://127.0.0.1/", "https://127.0.0.1/", "https://127.0.0.1:80/"])
      await assert.rejects(http.fetch(get(url)));
    assert.deepEqual(ports, [80, 443, 80]);
  });

  test("a body over the limit ends the connection", async (t) => {
    const server = createServer(getRequestListener(httpTarget));
    const port = await listen(server);
    const http = guardedFetch({ allowPrivate: () => true });
    t.after(async () => {
      await http.close();
      await stop(server);
    });
    const closed = new Promise<void>((resolve) => {
      server.on("connection", (socket) => socket.on("error", () => {}).on("close", () => resolve()));
    });
    assert.equal((await http.fetch(get(`http://127.0.0.1:${port}/endless`))).body.length, 1_000);
    await closed;
  });
});
