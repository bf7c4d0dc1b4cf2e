/** The contact form that each host of a benchmark serves, and a visitor's answers to it. */

export const APPLICATION_PASSWORD = "benchbenchbenchbenchbench";

export const benchForm = {
  title: "Bench",
  slug: "bench",
  markup: `<p><label>Name <input name="name" required></label></p>
<p><label>Email <input type="email" name="email" required></label></p>
<p><label>Topic <select name="topic"><option>a<option>b</select></label></p>
<p><label>Message <textarea name="message" maxlength="2000"></textarea></label></p>
<p><button>Send</button></p>`,
  settings: { actions: [{ type: "email", to: "a@example.org" }, { type: "email", to: "b@example.org" }] },
};

export const answers = new URLSearchParams({
  name: "A visitor", email: "visitor@example.org", topic: "b",
  message: "Hello, this is a message of ordinary length.",
}).toString();

export const authorization = `Basic ${Buffer.from(`admin:${APPLICATION_PASSWORD}`).toString("base64")}`;
