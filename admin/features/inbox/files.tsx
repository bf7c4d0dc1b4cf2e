/** Files of a submission: previews of images, and downloads through authenticated requests. */
import { type ReactNode, useEffect, useState } from "react";
import { useClient } from "../../shared/api/client.ts";
import type { StoredFile, Submission } from "../../../client/index.ts";
import { labelOfName } from "../../shared/field-label.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useNotices } from "../../shared/notices.ts";
import type { AnswerField } from "./answers.ts";

/** Image types that the API serves inline, after a check of the bytes. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_PREVIEW_BYTES = 10_000_000;

export function FileList({
  submission,
  fields,
}: {
  readonly submission: Submission;
  readonly fields: readonly AnswerField[];
}): ReactNode {
  const t = useText();
  const client = useClient();
  const notices = useNotices();
  const downloadAll = async () => {
    for (const { id, name } of submission.files)
      saveFile(name, await (await client.getSubmissionFile({ id: submission.id, file_id: id })).blob());
  };
  return (
    <section className="panel">
      <div className="panel-head">
        <h3>{t("detail.files")}</h3>
        {submission.files.length < 2 ? null : (
          <Button look="quiet" icon="download" onPress={() => void downloadAll().catch(notices.showError)}>
            {t("triage.downloadAll")}
          </Button>
        )}
      </div>
      <ul className="files">
        {submission.files.map((file) => (
          <FileItem key={file.id} file={file} submissionId={submission.id} label={labelOfName(fields, file.field)} />
        ))}
      </ul>
    </section>
  );
}

function FileItem({
  file,
  submissionId,
  label,
}: {
  readonly file: StoredFile;
  readonly submissionId: number;
  readonly label: string;
}): ReactNode {
  const t = useText();
  const client = useClient();
  const formats = useFormats();
  const notices = useNotices();
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    if (!IMAGE_TYPES.has(file.type) || file.size > MAX_PREVIEW_BYTES) return;
    const abort = new AbortController();
    let address: string | null = null;
    client
      .getSubmissionFile({ id: submissionId, file_id: file.id, inline: true }, { signal: abort.signal })
      .then((answer) => answer.blob())
      .then(
        (blob) => {
          address = URL.createObjectURL(blob);
          setPicture(address);
        },
        () => undefined,
      );
    return () => {
      abort.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [client, submissionId, file.id, file.type, file.size]);
  const download = () => {
    client
      .getSubmissionFile({ id: submissionId, file_id: file.id })
      .then((answer) => answer.blob())
      .then((blob) => saveFile(file.name, blob), notices.showError);
  };
  return (
    <li className="file">
      {picture === null ? <Icon name="file" /> : <img src={picture} alt={t("detail.preview", { name: file.name })} />}
      <span className="file-name">
        <span className="clip">{file.name}</span>
        <span className="muted">
          {label} · {formats.size(file.size)}
        </span>
      </span>
      <IconButton icon="download" label={t("detail.download", { name: file.name })} onPress={download} />
    </li>
  );
}
