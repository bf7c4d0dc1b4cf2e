/** The published conformance suites: one for each port that an adapter can implement. */
export type { Case, Closable, RegisterSkip, RegisterTest } from "./case.ts";
export { databaseCases, databaseConformance, type DatabaseConformance, type Optional } from "./database.ts";
export { filesCases, filesConformance, type FilesConformance } from "./files.ts";
export { httpCases, httpConformance, httpTarget, type HttpConformance, type HttpSubject } from "./http.ts";
export {
  mailerCases,
  mailerConformance,
  type DeliveredMail,
  type MailerConformance,
  type MailerSubject,
} from "./mailer.ts";
