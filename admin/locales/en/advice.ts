/** Recommendations by their code. Each text has a placeholder for a number. Their titles come from the API. */
export const advice = {
  "advice.nothing_arrives.text":
    "Visitors started this form, but nobody has been able to submit it. Try it yourself: a required field may be hidden, a pattern too strict, or the form closed.",
  "advice.failing_actions.text":
    "{value}% of this form’s actions failed in the last 24 hours. See Deliveries for the reasons.",
  "advice.few_starts.text":
    "Only {value}% of views lead to a start. Say above the form what visitors get, show fewer fields at first, and begin with an easy question.",
  "advice.few_completions.text":
    "Only {value}% of starts become submissions. Check the fields where visitors leave, ask for less, and see which answers are rejected.",
  "advice.too_many_fields.text":
    "The form has {value} fields, and fewer than half of the visitors who start finish it. Remove fields nobody uses, or split the form into steps.",
  "advice.slow_completion.text":
    "Half of the visitors need more than {value} seconds. Prefill what you know, offer choices instead of long text, and let browsers fill in names and addresses.",
  "advice.mobile_gap.text":
    "Visitors on phones finish {value}% as often as others. Use the email, phone, number and date fields, which open the right keyboard, and stack fields in one column.",
  "advice.much_spam.text":
    "{value}% of submissions are spam. Spam is kept apart and runs no actions. A limit per IP address or a CAPTCHA reduces it.",
  "advice.views_missing.text":
    "There are only {value} views for every 100 submissions. The script is missing or blocked where the form is embedded. Rates are unreliable until it runs.",
  "advice.field_drop_off.text":
    "{value}% of visitors who leave do so at “{field}”. If you need it, say why, show an example, or make it optional.",
  "advice.required_field_skipped.text":
    "Only {value}% of visitors who start fill in “{field}”, which is required. Make it optional or move it further down.",
  "advice.first_field_drop_off.text":
    "{value}% of visitors who leave get no further than “{field}”. Start with the easiest question and ask for personal details last.",
  "advice.late_drop_off.text":
    "{value}% of visitors who leave had reached the last third of the form. Split it into steps, show progress, and remove what you don’t need.",
  "advice.submissions_stopped.text":
    "No submissions arrived in the last 7 days, although there were some in the three weeks before. Open the page with the form and submit one yourself.",
  "advice.spam_rising.text":
    "{value}% of submissions in the last 7 days are spam, more than in the three weeks before. Look for a pattern, and limit submissions per IP address.",
  "advice.submissions_falling.text":
    "Fewer submissions arrived in the last two weeks than in the two before, with as many views. Check what changed on the form or its page.",
} as const;
