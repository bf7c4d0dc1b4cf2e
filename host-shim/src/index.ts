/** cf-forms for any JavaScript-hosted platform: {@link createForms} connects the engine to a host. */

import { loadEngine } from "#load-engine";
import { checkOptions } from "./check-options.ts";
import type { Forms } from "./forms.ts";
import type { FormsOptions } from "./options.ts";
import { pureCalls } from "./pure.ts";
import { Service } from "./service.ts";

export { settingName } from "./actions.ts";
export type * from "./action-values.ts";
export type { ActionSettingDescription, ActionType, DescribedSettings } from "./actions.ts";
export type { Hooks } from "./hooks.ts";
export type { HookCallback, StoredHandler, StoredHook } from "./stored-hooks.ts";
export type * from "./hook-types.ts";
export type { CounterDifference, Forms, Reply } from "./forms.ts";
export type { FormsOptions, KeepDays } from "./options.ts";
export { PermanentError } from "./permanent-error.ts";
export type * from "./ports.ts";
export type { PureCalls } from "./pure.ts";
export type { NamespaceIndex } from "./reference.ts";
export type {
  Answers,
  AnswerFault,
  Condition,
  ConditionAction,
  ConditionGroup,
  ConditionRule,
  EvaluatedConditions,
  Field,
  FieldOption,
  FieldType,
  FormSchema,
  Layout,
  LayoutStep,
  LayoutType,
  Operator,
  ParsedMarkup,
  RenderedSchema,
  RouteDescription,
  ModuleSource,
  Fault as SchemaFault,
  UploadedFile as SentFile,
  ValidatedSubmission,
  Validation,
  Warning,
} from "#load-engine";
export { nonceOf, sessionNonces, type SessionNonces } from "./nonce.ts";

/** Loads the engine and connects it to the host. Rejects with the names of options that are missing. */
export async function createForms(options: FormsOptions): Promise<Forms> {
  checkOptions(options);
  const service = new Service(await loadEngine(options.module), options);
  return Object.assign(service, pureCalls(service.call, service.filterMarkup));
}
