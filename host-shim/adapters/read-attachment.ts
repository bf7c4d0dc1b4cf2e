/** Reads an attachment into memory, for mailers of platforms that accept no streams. */
import type { MailAttachment } from "../src/ports.ts";

/** An attachment with its bytes in memory. */
export interface ReadAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Reads an attachment's stream to its end. */
export async function readAttachment({ filename, content_type, stream }: MailAttachment): Promise<ReadAttachment> {
  return {
    filename,
    contentType: content_type,
    content: Buffer.from(await new Response(await stream()).arrayBuffer()),
  };
}
