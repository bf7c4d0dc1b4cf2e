/** The admin in a page of a host, at `/forms-admin/`, which asks for the editor's token. */
import { launchChromium } from "../browser/chromium.ts";

/** Opens the page and waits for the admin, which has read the forms. */
export async function opensAdmin(url: string, token: string): Promise<void> {
  const browser = await launchChromium(() => true);
  try {
    const page = await browser.newPage();
    page.on("dialog", (dialog) => dialog.accept(token));
    await page.goto(`${url}/forms-admin/`);
    await page.getByText("Create your first form").waitFor();
  } finally {
    await browser.close();
  }
}
