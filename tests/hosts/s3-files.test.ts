/** The files port on an S3-compatible server, through aws4fetch. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AwsClient } from "aws4fetch";
import { s3Files } from "cf-forms/adapters/s3-files";
import { filesConformance } from "cf-forms/conformance";
import S3rver from "s3rver";

const ACCOUNT = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER", service: "s3", region: "us-east-1", retries: 0 };

describe("the files of a bucket", () => {
  const directory = mkdtempSync(join(tmpdir(), "cf-forms-s3-"));
  const server = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: "forms", configs: [] }] });
  let bucket: string;
  before(async () => {
    const { port } = await server.run();
    bucket = `http://localhost:${port}/forms`;
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  filesConformance({
    test,
    open: async () => ({
      files: s3Files(new AwsClient(ACCOUNT), { bucket, folder: "uploads" }),
      close: async () => undefined,
    }),
  });

  test("a file of several parts is returned unchanged, and an interrupted upload leaves nothing", async () => {
    const files = s3Files(new AwsClient(ACCOUNT), { bucket });
    const pieces = Array.from({ length: 20 }, (_, at) => new Uint8Array(1_000_003).fill(at));
    await files.putStream?.("large.bin", ReadableStream.from(pieces), "application/octet-stream");
    assert.deepEqual(Buffer.from((await files.get("large.bin")) ?? []), Buffer.concat(pieces));
    const broken = async function* () {
      yield* pieces;
      throw new Error("the sender is gone");
    };
    const sent = files.putStream?.("broken.bin", ReadableStream.from(broken()), "application/octet-stream");
    await assert.rejects(sent ?? Promise.resolve(), /the sender is gone/);
    assert.equal(await files.get("broken.bin"), null);
  });

  test("an unknown account is an error with the service's reason", async () => {
    const files = s3Files(new AwsClient({ ...ACCOUNT, accessKeyId: "NOBODY" }), { bucket });
    await assert.rejects(files.put("a.txt", new Uint8Array(1), "text/plain"), /403 to PUT: InvalidAccessKeyId/);
    await assert.rejects(files.get("a.txt"), /403/);
    const elsewhere = s3Files(new AwsClient(ACCOUNT), { bucket: bucket.replace("/forms", "/none") });
    await assert.rejects(elsewhere.put("a.txt", new Uint8Array(1), "text/plain"), /does not exist/);
  });
});
