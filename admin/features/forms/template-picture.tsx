/** Picture of a template: the top of its form as visitors see it. The build renders it in every language. */
import { type ReactNode, useMemo } from "react";
import { useLanguage } from "../../shared/text/text.tsx";
import { pictures, style } from "../../templates/pictures.ts";

/** Size of the pictured part of the page, in CSS pixels. */
const WIDTH = 600;
const HEIGHT = 400;

function imageOf(picture: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><style>${style}</style><foreignObject width="${WIDTH}" height="${HEIGHT}">${picture}</foreignObject></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The card's title and description say what the picture shows, so it has no text of its own. */
export function TemplatePicture({ id }: { readonly id: string }): ReactNode {
  const language = useLanguage();
  const source = useMemo(() => imageOf(pictures[id]?.[language] ?? ""), [id, language]);
  return <img className="template-picture" src={source} width={WIDTH} height={HEIGHT} alt="" />;
}
