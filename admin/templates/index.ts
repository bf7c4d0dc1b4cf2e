/** Templates for new forms. To add one, add a JSON file here and its name to this list. */
import booking from "./booking.json" with { type: "json" };
import class_booking from "./class-booking.json" with { type: "json" };
import contact from "./contact.json" with { type: "json" };
import donation from "./donation.json" with { type: "json" };
import event_registration from "./event-registration.json" with { type: "json" };
import feedback from "./feedback.json" with { type: "json" };
import job_application from "./job-application.json" with { type: "json" };
import newsletter from "./newsletter.json" with { type: "json" };
import order from "./order.json" with { type: "json" };
import quiz from "./quiz.json" with { type: "json" };
import quote from "./quote.json" with { type: "json" };
import rsvp from "./rsvp.json" with { type: "json" };
import support from "./support.json" with { type: "json" };
import survey from "./survey.json" with { type: "json" };

/** A text by language; the fallback is English. */
export interface TemplateTexts {
  readonly en: string;
  readonly de: string;
  readonly [language: string]: string | undefined;
}

/** A form in each language: every text of `schema`, `settings` and `messages` is one of {@link TemplateTexts}. */
export interface Template {
  readonly title: TemplateTexts;
  readonly description: TemplateTexts;
  readonly schema: object;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly messages?: object;
}

export const TEMPLATES: Readonly<Record<string, Template>> = {
  contact,
  newsletter,
  booking,
  "class-booking": class_booking,
  "job-application": job_application,
  "event-registration": event_registration,
  feedback,
  order,
  quote,
  quiz,
  support,
  rsvp,
  survey,
  donation,
};
