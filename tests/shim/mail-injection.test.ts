/** HTML mails whose templates put variables at every kind of place, read by a real HTML parser: no value becomes markup. */
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { member, startSite, type Site } from "./site.ts";

type Node = DefaultTreeAdapterTypes.Node;

/** Places where an author may put a variable. Only `[x]` is the variable; the rest belongs to the template. */
const TEMPLATES = [
  "From [x] <[x]>",
  "<[x]",
  "</[x]>",
  "<{x}>",
  "</{x} >",
  "<!{x}>",
  "<!-{x}->",
  "<?[x]>",
  "<<[x]>",
  "<[x][x]>",
  "<p[x]>a</p>",
  "</p[x]>",
  "<p [x]>a</p>",
  "<p [x]=1>a</p>",
  "<p data-[x]=1>a</p>",
  '<p on[x]="1">a</p>',
  "<p title[x]>a</p>",
  '<p title="[x]">a</p>',
  "<p title='[x]'>a</p>",
  "<p title=[x]>a</p>",
  "<p title=a[x]>a</p>",
  "<p title= [x] lang=en>a</p>",
  '<a href="[x]">a</a>',
  "<a href=[x]>a</a>",
  "<a href='/p?q=[x]'>a</a>",
  '<img srcset="[x] 1x, [x] 2x">',
  '<svg><a xlink:href="[x]">a</a></svg>',
  '<form action="[x]"><button formaction="[x]">a</button></form>',
  '<iframe srcdoc="[x]"></iframe>',
  '<object data="[x]"></object>',
  '<meta http-equiv="refresh" content="0;url=[x]">',
  '<base href="[x]">',
  '<script src="[x]"></script>',
  '<link rel=stylesheet href="[x]">',
  '<p style="color:[x]">a</p>',
  "<p style=[x]>a</p>",
  "<style>p{color:[x]}</style>",
  "<style>[x]</style>",
  '<style><p title="[x]"></style>',
  "<script>f('[x]')</script>",
  "<script>[x]</script>",
  "<script>if (1 <a && b) f('[x]')</script>",
  "<p onclick=\"f('[x]')\">a</p>",
  "<title>[x]</title>",
  "<textarea>[x]</textarea>",
  "<pre>[x]</pre>",
  "<noscript>[x]</noscript>",
  "<xmp>[x]</xmp>",
  "<!-- [x] -->",
  "<!--a[x]-->",
  '<!--[if mso]><p title="[x]">[x]</p><![endif]-->',
  "<![CDATA[ {x} ]]>",
  "<!doctype {x}>",
  "<table><tr><td>[x]</td></tr></table>",
];

const VALUES = [
  "img src=x onerror=alert(1)",
  "<img src=x onerror=alert(1)>",
  "script",
  "/script",
  "p",
  "-",
  "--",
  "!--",
  "-->",
  "--!>",
  "]]>",
  "?php",
  '" onclick=alert(1) x="',
  "' onclick=alert(1) x='",
  " onclick=alert(1) ",
  "onclick",
  "=alert(1)",
  ">",
  "/>",
  "click",
  "javascript:alert(1)",
  " java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "//evil.example/",
  "https://evil.example/",
  "</title><img src=x onerror=alert(1)>",
  "</textarea><img src=x onerror=alert(1)>",
  "</style><img src=x onerror=alert(1)>",
  "</script><img src=x onerror=alert(1)>",
  "red;background:url(https://evil.example/)",
  "red}*{background:url(https://evil.example/)",
  "');alert('1",
  "\\",
  "${alert(1)}",
  "`",
  "&#60;img src=x&#62;",
  "a\nb",
  "\0<b>",
];

/** Returns the structure that must not depend on the value: elements, comments, and attribute names. */
function outline(node: Node, isAlone = false): string {
  const inner = "childNodes" in node ? node.childNodes.map((child) => outline(child)).join("") : "";
  if (node.nodeName === "#comment") return "<!---->";
  if (!("tagName" in node)) return isAlone || node.nodeName === "#document-fragment" ? inner : "";
  // A line break of a value is a `<br>` in the mail.
  if (node.tagName === "br") return "";
  const content = "content" in node ? outline(node.content, true) : "";
  return `<${node.tagName} ${node.attrs
    .map(({ name }) => name)
    .sort()
    .join(" ")}>${content}${inner}</${node.tagName}>`;
}

/** Yields dangerous attributes: addresses, handlers, styles, and scripts. */
function* acts(node: Node): Generator<string> {
  if ("tagName" in node) {
    for (const { name, value } of node.attrs) {
      const plain = value.replace(/[\t\n\r]/g, "").trim();
      if (
        /^(?:href|src|action|formaction|data|xlink:href)$/.test(name) &&
        /^(?!https?:|mailto:|tel:)[^/?#]*:/i.test(plain)
      )
        yield `${name}=${value}`;
      if (name === "srcset" && /script:|data:/i.test(plain)) yield `${name}=${value}`;
      if (/^on|^srcdoc$|^content$/.test(name) && /alert|evil|<|\\/.test(value)) yield `${name}=${value}`;
      if (name === "style" && /url|evil|[{}\\]/.test(value)) yield `${name}=${value}`;
      if (/^(?:script|base|link|meta|object|embed)$/.test(node.tagName) && value.includes("evil"))
        yield `${node.tagName} ${name}=${value}`;
    }
    const text = node.childNodes.map((child) => ("value" in child ? child.value : "")).join("");
    if (/^(?:script|style)$/.test(node.tagName) && /alert|evil|\\|`/.test(text)) yield `${node.tagName}: ${text}`;
  }
  if ("childNodes" in node) for (const child of node.childNodes) yield* acts(child);
}

let site: Site;

before(async () => {
  site = await startSite();
});

after(async () => {
  await site?.close();
});

it("no value becomes a tag, an attribute or part of a script, at any place of its variable", async () => {
  const made = await site.api("POST", "/forms", { title: "Mail", markup: '<textarea name="x"></textarea>' });
  const form_id = Number(member(made.body, "id"));
  const filled = async (value: string): Promise<string[]> => {
    const separator = "\n<hr id=next>\n";
    const texts = await Promise.all(
      TEMPLATES.map(async (template) => {
        const settings = {
          to: "desk@example.org",
          subject: "S",
          content_type: "text/html",
          message: template + separator,
        };
        const { status, body } = await site.api("POST", "/actions/test", {
          form_id,
          action_type: "email",
          settings,
          test_data: { x: value },
        });
        assert.equal(status, 200, JSON.stringify(body));
        const html = member(member(body, "output"), "html");
        assert.ok(typeof html === "string", JSON.stringify(body));
        return html;
      }),
    );
    return texts;
  };
  const plain = await filled("7");
  const failures: string[] = [];
  for (const value of VALUES) {
    for (const [index, html] of (await filled(value)).entries()) {
      const tree = parseFragment(html);
      const expected = outline(parseFragment(plain[index] ?? ""));
      if (outline(tree) !== expected) failures.push(`${TEMPLATES[index]} with ${JSON.stringify(value)}: ${html}`);
      for (const act of acts(tree)) failures.push(`${TEMPLATES[index]} with ${JSON.stringify(value)}: ${act}`);
    }
  }
  assert.deepEqual(failures, []);
});
