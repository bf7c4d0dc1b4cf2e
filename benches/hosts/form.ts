/** The forms that each host of a benchmark serves, and visitors' answers to them. */

export const APPLICATION_PASSWORD = "benchbenchbenchbenchbench";

export const benchForm = {
  title: "Bench",
  slug: "bench",
  markup: `<p><label>Name <input name="name" required></label></p>
<p><label>Email <input type="email" name="email" required></label></p>
<p><label>Topic <select name="topic"><option>a<option>b</select></label></p>
<p><label>Message <textarea name="message" maxlength="2000"></textarea></label></p>
<p><button>Send</button></p>`,
  settings: {
    actions: [
      { type: "email", to: "a@example.org" },
      { type: "email", to: "b@example.org" },
    ],
  },
};

/** A form of six fields, whose answers are all different. */
export const variedForm = {
  title: "Varied",
  slug: "varied",
  markup: `<p><label>Name <input name="name" required></label></p>
<p><label>Email <input type="email" name="email" required></label></p>
<p><label>Phone <input type="tel" name="phone"></label></p>
<p><label>Company <input name="company"></label></p>
<p><label>Subject <input name="subject"></label></p>
<p><label>Message <textarea name="message" maxlength="2000"></textarea></label></p>
<p><button>Send</button></p>`,
  settings: benchForm.settings,
};

/** Placeholder for a request's number in answers that all differ. */
export const NUMBER = "{n}";

/** Number of bodies that differ in more than the request's number. */
const BODIES = 4_000;

const SYLLABLES = "ba de fi go hu ka le mi no pu ra se ti vo wu za".split(" ");

/** Returns one of 4,096 words of three syllables. */
const word = (at: number): string => [at, at >> 4, at >> 8].map((place) => SYLLABLES[place & 15]).join("");

/** Answers to the form of six fields, each with the request's number. The message has 15 words. */
export const variedAnswers: readonly string[] = Array.from({ length: BODIES }, (_, n) => {
  // The steps are primes, so that neighbouring bodies have few words in common.
  const words = (count: number, step: number) =>
    Array.from({ length: count }, (_, at) => word(n * step + at * 1_009)).join(" ");
  return new URLSearchParams({
    name: `${words(2, 7)} ${NUMBER}`,
    email: `${word(n)}.${NUMBER}@example.org`,
    phone: `+44 20 ${NUMBER}`,
    company: `${words(2, 11)} ${NUMBER}`,
    subject: `${words(3, 13)} ${NUMBER}`,
    message: `${words(14, 17)} ${NUMBER}`,
  })
    .toString()
    .replaceAll(encodeURIComponent(NUMBER), NUMBER);
});

export const answers = new URLSearchParams({
  name: "A visitor",
  email: "visitor@example.org",
  topic: "b",
  message: "Hello, this is a message of ordinary length.",
}).toString();

export const authorization = `Basic ${Buffer.from(`admin:${APPLICATION_PASSWORD}`).toString("base64")}`;
