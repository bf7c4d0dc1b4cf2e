/** Recommendations by their code, with a number that each text takes. Their titles come from the API. */
export const advice = {
  "advice.nothing_arrives.text":
    "Visitors started this form and none could send it. Fill it in yourself: a required field may be hidden, a pattern too strict, or the form closed.",
  "advice.failing_actions.text":
    "{value}% of the runs of this form's actions failed in the last 24 hours. What they said is in the log of actions.",
  "advice.few_starts.text":
    "Only {value}% of the views become starts. Say above the form what visitors get for it, show fewer fields at first, and begin with an easy one.",
  "advice.few_completions.text":
    "Only {value}% of the starts become submissions. The drop-off of the fields shows where visitors stop; ask for less, and check what the validation refuses.",
  "advice.too_many_fields.text":
    "The form has {value} fields, and fewer than half of those who start finish it. Each field costs visitors: drop what nobody uses, or split the form into steps.",
  "advice.slow_completion.text":
    "Half of the visitors need more than {value} seconds. Prefill what is known, offer choices in place of long texts, and let browsers fill in names and addresses.",
  "advice.mobile_gap.text":
    "Phones finish {value}% as often as other devices. Use the field types email, telephone, number and date, which bring up the right keyboard, and put fields below each other.",
  "advice.much_spam.text":
    "{value}% of what was sent is spam. It is kept apart and runs no actions; a limit for each address makes it more costly to send.",
  "advice.views_missing.text":
    "For 100 submissions there are only {value} views. Where the form is embedded, its script is missing or blocked; the funnel's rates say nothing until it runs.",
  "advice.field_drop_off.text":
    "{value}% of the visitors who give up do so at “{field}”. Ask whether you need it; if so, say why you ask, show an example, or make it optional.",
  "advice.required_field_skipped.text":
    "Only {value}% of the visitors who start reach and fill in “{field}”, which is required. Make it optional, or move it to where visitors are ready for it.",
  "advice.first_field_drop_off.text":
    "{value}% of the visitors who give up get no further than “{field}”. Begin with the easiest question, and leave personal ones for the end.",
  "advice.late_drop_off.text":
    "{value}% of the visitors who give up had come as far as the last third of the fields. Split the form into steps, show how far it is to the end, and drop what you do not need.",
  "advice.submissions_stopped.text":
    "No submission came in the last 7 days, and some in the three weeks before. Look at the page that holds the form, and send one yourself.",
  "advice.spam_rising.text":
    "{value}% of what was sent in the last 7 days is spam, more than in the three weeks before. Look through it for a pattern, and limit how often one address may send.",
  "advice.submissions_falling.text":
    "Fewer submissions came in the last two weeks than in the two before, while the form was seen as often. Look at what was changed on the form or its page.",
} as const;
