/** QR code of a form's link, shown and saved as SVG or PNG. Loaded on demand, because it contains the encoder. */
import { type ReactNode, useMemo } from "react";
import encodeQR from "qr";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { useNotices } from "../../shared/notices.ts";

/** Empty margin around the code, in modules; readers need four. */
const QUIET_ZONE = 4;

/** Minimum width of the saved picture, in pixels; enough for print. */
const MIN_PNG_WIDTH = 1_000;

type Modules = readonly (readonly boolean[])[];

const squares = (modules: Modules): readonly (readonly [x: number, y: number])[] =>
  modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));

const pathOf = (modules: Modules): string =>
  squares(modules)
    .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
    .join("");

const svgOf = (modules: Modules): Blob =>
  new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${modules.length} ${modules.length}" shape-rendering="crispEdges">`,
      `<path fill="#fff" d="M0 0h${modules.length}v${modules.length}H0z"/><path d="${pathOf(modules)}"/></svg>`,
    ],
    { type: "image/svg+xml" },
  );

async function pngOf(modules: Modules): Promise<Blob> {
  const scale = Math.ceil(MIN_PNG_WIDTH / modules.length);
  const canvas = document.createElement("canvas");
  canvas.width = modules.length * scale;
  canvas.height = canvas.width;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser cannot draw the picture.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  for (const [x, y] of squares(modules)) context.fillRect(x * scale, y * scale, scale, scale);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture is empty.")) : resolve(blob)), "image/png"),
  );
}

export interface QrCodeProps {
  readonly url: string;
  /** Name of the saved files, without their ending. */
  readonly name: string;
}

export default function QrCode({ url, name }: QrCodeProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const modules = useMemo((): Modules => encodeQR(url, "raw", { border: QUIET_ZONE }), [url]);
  const savePng = () => {
    pngOf(modules).then(
      (png) => saveFile(`${name}.png`, png),
      (error: unknown) => notices.showError(error),
    );
  };
  return (
    <div className="qr">
      <svg viewBox={`0 0 ${modules.length} ${modules.length}`} role="img" aria-label={t("share.qr")}>
        <path d={pathOf(modules)} />
      </svg>
      <div className="row">
        <Button icon="download" onPress={() => saveFile(`${name}.svg`, svgOf(modules))}>
          SVG
        </Button>
        <Button icon="download" onPress={savePng}>
          PNG
        </Button>
      </div>
    </div>
  );
}
