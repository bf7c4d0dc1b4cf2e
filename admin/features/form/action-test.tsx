/** Test run of an action with sample answers. The action really runs, and the dialog shows its output. */
import { type ReactNode, useState } from "react";
import { useChange } from "../../shared/api/queries.ts";
import type { ActionReport, Field, FormSchema, FormAction } from "../../../client/index.ts";
import { labelOf } from "../../shared/field-label.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { sampleOf } from "./sample-answers.ts";
import { Dialog } from "../../ui/overlays.tsx";
import { ApiMessage, OriginalMessage } from "../../ui/api-message.tsx";
import { DeliveryBadge, useDeliveryState } from "../../ui/delivery-state.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { RunOutput } from "../../ui/output.tsx";

export interface ActionTestProps {
  readonly action: FormAction;
  readonly formId: number;
  readonly fields: readonly Field[];
  /** Schema of the draft, with which the test runs. */
  readonly schema: FormSchema;
}

export function ActionTest({ action, formId, fields, schema }: ActionTestProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const [data, setData] = useState<Readonly<Record<string, string>>>({});
  const run = useChange((client) => {
    const { type, ...settings } = action;
    const testData = Object.fromEntries(
      fields.map((field) => [field.name, data[field.name] ?? sampleOf(field, t("test.sample"))]),
    );
    return client.testAction({ body: { action_type: type, form_id: formId, schema, settings, test_data: testData } });
  });
  const shown = fields.filter(({ type }) => type !== "file").slice(0, 12);
  return (
    <>
      <div>
        <Button icon="flow" onPress={() => setIsOpen(true)}>
          {t("test.open")}
        </Button>
      </div>
      <Dialog
        wide
        title={t("test.title")}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        actions={
          <>
            <Button onPress={() => setIsOpen(false)}>{t("common.close")}</Button>
            <Button look="primary" isPending={run.isPending} onPress={() => run.mutate(undefined)}>
              {t("test.run")}
            </Button>
          </>
        }
      >
        <p className="help">{t("test.help")}</p>
        <div className="columns">
          {shown.map((field) => (
            <TextField
              key={field.name}
              label={labelOf(field)}
              value={data[field.name] ?? sampleOf(field, t("test.sample"))}
              onChange={(value) => setData((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
        </div>
        <div role="status">
          {run.isError ? <ErrorText error={run.error} /> : null}
          {run.data === undefined ? null : <TestResult type={action.type} result={run.data} />}
        </div>
      </Dialog>
    </>
  );
}

interface TestResultProps {
  /** Type of the action. */
  readonly type: string;
  readonly result: ActionReport;
}

/** State, duration and output of a test run. */
function TestResult({ type, result }: TestResultProps): ReactNode {
  const stateOf = useDeliveryState();
  const facts = { ...result, action_type: type };
  return (
    <div className="stack">
      <p className="row">
        <DeliveryBadge facts={facts} />
        <ApiMessage>{stateOf(facts).reason}</ApiMessage>
        <span className="muted">{result.duration_ms} ms</span>
      </p>
      <OriginalMessage>{result.message}</OriginalMessage>
      {result.output === null || result.output === undefined ? null : <RunOutput value={result.output} />}
    </div>
  );
}
