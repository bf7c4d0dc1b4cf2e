/** Upload of a file to import, with its progress. */
import { useRef, useState } from "react";
import type { Import } from "../../../client/index.ts";
import { clientOf } from "../../shared/api/client.ts";
import { useOptions } from "../../shared/options.ts";
import { useNotices } from "../../shared/notices.ts";

/** Receives the share of the file that was sent so far, from 0 to 1. */
type Report = (share: number) => void;

/** Sends a request like `fetch`, but reports the progress of the body, which `fetch` does not. */
const sending =
  (report: Report) =>
  (address: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? "GET", address);
      new Headers(init.headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.addEventListener("progress", ({ loaded, total }) => report(total === 0 ? 0 : loaded / total));
      request.addEventListener("load", () => {
        const { status, responseText } = request;
        const type = request.getResponseHeader("content-type") ?? "text/plain";
        resolve(new Response(responseText, { status, headers: { "content-type": type } }));
      });
      request.addEventListener("error", () => reject(new TypeError("the request failed")));
      request.addEventListener("abort", () => reject(new DOMException("the upload was cancelled", "AbortError")));
      init.signal?.addEventListener("abort", () => request.abort());
      request.send(init.body instanceof Blob ? init.body : undefined);
    });

export interface Upload {
  /** Share of the file that was sent; null when none is sent. */
  readonly share: number | null;
  readonly error: unknown;
  readonly send: (file: File) => void;
  readonly cancel: () => void;
}

/** Uploads a file, and passes on its description. */
export function useUpload(then: (described: Import, file: File) => void): Upload {
  const { apiRoot, nonce, nonceEndpoint, fetch } = useOptions();
  const notices = useNotices();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const send = async (file: File) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setShare(0);
    try {
      const client = clientOf({ apiRoot, nonce, nonceEndpoint, fetch: fetch ?? sending(setShare) });
      const described = await client.createImport({ body: file }, { signal: controller.signal });
      if (!controller.signal.aborted) then(described, file);
    } catch (fault) {
      if (controller.signal.aborted) return;
      setError(fault);
      notices.showError(fault);
    } finally {
      if (running.current === controller) setShare(null);
    }
  };
  const cancel = () => {
    running.current?.abort();
    setShare(null);
  };
  return { share, error, send: (file) => void send(file), cancel };
}
