/** Picture of a form or of an option: uploaded, or at a URL. */
import { type ReactNode, useRef, useState } from "react";
import { ApiError, useClient } from "../../../shared/api/client.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { useInput } from "./use-input.ts";

const TYPES = ".png,.jpg,.jpeg,.svg,.webp";

/** The engine's limit. */
const MAX_BYTES = 1_048_576;

/** Whether the engine accepts the URL: https, a path of the site, or an uploaded picture of a site without https. */
const isPicture = (url: string): boolean => /^(?:https:\/\/\S+|\/(?!\/)\S*|http:\/\/\S+\/-\/images\/\S+)$/.test(url);

/** Returns the code of the file's fault, or else the code of the request's error. */
function codeOf({ code, data }: ApiError): string {
  const { file } = isRecord(data["details"]) ? data["details"] : {};
  return isRecord(file) ? String(file["code"]) : code;
}

export interface PictureControlProps {
  readonly id: string;
  readonly formId: number;
  readonly label: string;
  readonly value: string;
  readonly onChange: (url: string) => void;
}

export function PictureControl({ id, formId, label, value, onChange }: PictureControlProps): ReactNode {
  const t = useText();
  const file = useRef<HTMLInputElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  const { isUploading, fault, upload } = useUpload(formId, onChange);
  const input = useInput({
    id,
    value,
    format: (url) => url,
    parse: (url) => (url === "" || isPicture(url) ? { value: url } : { fault: t("build.pictureFault") }),
    onChange,
  });
  return (
    <fieldset className="picture">
      <legend className="label">{label}</legend>
      {value === "" ? null : <img src={value} alt={t("build.picture.preview", { name: label })} />}
      <div className="row">
        <Button icon="open" isPending={isUploading} onPress={() => file.current?.click()}>
          {t(value === "" ? "build.picture.upload" : "build.picture.replace")}
        </Button>
        {value === "" ? (
          <Button look="quiet" aria-expanded={isTyping} onPress={() => setIsTyping(!isTyping)}>
            {t("build.picture.useUrl")}
          </Button>
        ) : (
          <Button look="quiet" onPress={() => onChange("")}>
            {t("build.picture.remove")}
          </Button>
        )}
      </div>
      <input
        ref={file}
        type="file"
        accept={TYPES}
        hidden
        aria-label={t("build.picture.file", { name: label })}
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = "";
        }}
      />
      {value !== "" || isTyping || input.text !== "" ? (
        <TextField
          label={t("build.picture.url", { name: label })}
          hideLabel
          placeholder="https://"
          value={input.text}
          fault={input.fault}
          onChange={input.change}
        />
      ) : null}
      {fault === null ? null : (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <p className="help">{t("build.picture.help")}</p>
    </fieldset>
  );
}

/** Uploads a picture of the form. */
function useUpload(formId: number, onUrl: (url: string) => void) {
  const t = useText();
  const client = useClient();
  const [isUploading, setIsUploading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const faultOf = (error: unknown): string => {
    if (!(error instanceof ApiError)) return t("build.picture.failed");
    if (error.status === 413) return t("build.picture.tooLarge");
    switch (codeOf(error)) {
      case "file_type_not_allowed":
        return t("build.picture.type");
      case "rest_no_files":
        return t("build.picture.noFiles");
      case "rest_too_many_items":
        return t("build.picture.tooMany");
      default:
        return t("build.picture.failed");
    }
  };
  const upload = async (picture: File | undefined) => {
    if (picture === undefined) return;
    if (picture.size > MAX_BYTES) {
      setFault(t("build.picture.tooLarge"));
      return;
    }
    setFault(null);
    setIsUploading(true);
    const body = new FormData();
    body.append("file", picture, picture.name);
    try {
      onUrl((await client.uploadFormImage({ id: formId, body })).url);
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setIsUploading(false);
    }
  };
  return { isUploading, fault, upload };
}
