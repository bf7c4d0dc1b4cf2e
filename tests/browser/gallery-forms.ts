/** Ten realistic forms, for pictures and for checks of every form. */

const options = (...labels: readonly string[]): object[] =>
  labels.map((label) => ({ value: label.split("\n")[0] ?? label, label }));

export interface GalleryForm {
  readonly title: string;
  readonly settings?: object;
  readonly fields?: readonly object[];
  readonly layout?: object;
  readonly markup?: string;
}

const MAIL = {
  name: "email",
  type: "email",
  label: "Email address",
  required: true,
  attributes: { autocomplete: "email" },
};

export const GALLERY: Readonly<Record<string, GalleryForm>> = {
  contact: {
    title: "Contact us",
    fields: [
      { name: "who", label: "Your name", required: true, css_class: "cf-half" },
      { ...MAIL, css_class: "cf-half" },
      {
        name: "topic",
        type: "radio",
        label: "Topic",
        required: true,
        css_class: "cf-cards",
        options: options("A table", "An event", "Something else"),
      },
      { name: "message", type: "textarea", label: "Message" },
      { name: "send", type: "submit", label: "Send message" },
    ],
  },
  donation: {
    title: "Plant a tree with us",
    fields: [
      {
        name: "amount",
        type: "radio",
        label: "How much would you like to give?",
        css_class: "cf-cards",
        default_value: "25 €",
        options: options("10 €\nTen saplings", "25 €\nA hedge for birds", "50 €\nA small wood"),
        attributes: { "data-other": "Another amount" },
      },
      { name: "first", label: "First name", css_class: "cf-half" },
      { name: "last", label: "Last name", css_class: "cf-half" },
      { ...MAIL, description: "For the receipt. Nothing else is sent there." },
      { name: "found", type: "rating", label: "How easy was it to find us?", default_value: "4" },
      {
        name: "travel",
        type: "range",
        label: "How far did you travel?",
        validation: { min: 0, max: 100 },
        default_value: "38",
      },
      { name: "send", type: "submit", label: "Give now" },
    ],
  },
  survey: {
    title: "How was your visit?",
    fields: [
      {
        name: "nps",
        type: "rating",
        label: "How likely are you to tell a friend?",
        css_class: "cf-scale",
        required: true,
        validation: { min: 0, max: 10 },
        default_value: "9",
        options: [
          { value: "0", label: "Not at all" },
          { value: "10", label: "Very likely" },
        ],
      },
      { name: "love", type: "rating", label: "Did you like it?", css_class: "cf-hearts", default_value: "3" },
      { name: "grade", type: "rating", label: "A grade", css_class: "cf-numbers" },
      {
        name: "often",
        type: "radio",
        label: "How often do you come?",
        css_class: "cf-buttons",
        options: options("Weekly", "Monthly", "Rarely"),
      },
      { name: "why", type: "textarea", label: "Why?" },
      { name: "send", type: "submit", label: "Send" },
    ],
  },
  booking: {
    title: "Book a table",
    settings: { theme: "paper", review: true },
    layout: {
      type: "multi-step",
      steps: [
        { id: "when", title: "When?", fields: ["day", "hour", "guests"] },
        { id: "who", title: "Who?", fields: ["name", "email", "send"] },
      ],
    },
    fields: [
      { name: "day", type: "date", label: "Day", required: true, css_class: "cf-third" },
      { name: "hour", type: "time", label: "Time", css_class: "cf-third" },
      {
        name: "guests",
        type: "number",
        label: "Guests",
        css_class: "cf-third",
        validation: { min: 1, max: 12 },
        default_value: "2",
      },
      { name: "name", type: "name", label: "Your name", required: true },
      MAIL,
      { name: "send", type: "submit", label: "Book the table" },
    ],
  },
  job: {
    title: "Apply as a gardener",
    fields: [
      { name: "name", type: "name", label: "Your name", required: true },
      { ...MAIL, css_class: "cf-two-thirds" },
      { name: "phone", type: "tel", label: "Phone", css_class: "cf-third" },
      {
        name: "cv",
        type: "file",
        label: "Your CV",
        required: true,
        description: "One PDF of at most 5 MB.",
        attributes: { accept: ".pdf" },
      },
      { name: "from", type: "date", label: "You could start on" },
      {
        name: "terms",
        type: "consent",
        label: "I agree to the [privacy notice](/privacy) of the nursery.",
        required: true,
      },
      { name: "send", type: "submit", label: "Apply" },
    ],
  },
  rsvp: {
    title: "Will you come?",
    settings: { theme: "bold" },
    fields: [
      {
        name: "coming",
        type: "radio",
        label: "Are you coming to the wedding?",
        required: true,
        css_class: "cf-buttons",
        options: options("Yes, gladly", "Sadly not"),
      },
      { name: "who", label: "Your names", required: true },
      {
        name: "diet",
        type: "checkbox",
        label: "What do you not eat?",
        css_class: "cf-columns",
        options: options("Meat", "Fish", "Milk", "Nuts"),
        attributes: { "data-other": "Something else" },
      },
      { name: "song", label: "A song that must be played" },
      { name: "send", type: "submit", label: "Answer" },
    ],
  },
  order: {
    title: "Order bread",
    settings: { theme: "contrast" },
    fields: [
      { name: "intro", type: "heading", label: "Your order", description: "Ordered before noon, baked the next day." },
      {
        name: "bread",
        type: "select",
        label: "Bread",
        required: true,
        placeholder: "Choose a bread",
        css_class: "cf-two-thirds",
        options: options("Rye", "Wheat", "Spelt", "Potato"),
      },
      {
        name: "count",
        type: "number",
        label: "How many?",
        css_class: "cf-third",
        validation: { min: 1, max: 20 },
        default_value: "1",
      },
      { name: "line", type: "divider" },
      { name: "delivery", type: "fieldset", label: "Delivery" },
      { name: "home", type: "address", label: "Address", required: true, group: "delivery" },
      { name: "colour", type: "color", label: "Colour of the bag", default_value: "#aa7733" },
      { name: "send", type: "submit", label: "Order" },
    ],
  },
  medical: {
    title: "Before your appointment",
    fields: [
      { name: "hint", type: "paragraph", label: "Your answers go to the practice only." },
      { name: "name", type: "name", label: "Your name", required: true },
      { name: "born", type: "date", label: "Date of birth", required: true, css_class: "cf-half" },
      { name: "insurance", label: "Insurance number", css_class: "cf-half" },
      { name: "smoker", type: "radio", label: "Do you smoke?", options: options("Yes", "No", "Not any more") },
      {
        name: "ill",
        type: "checkbox",
        label: "Do you have any of these?",
        options: options("Asthma", "Diabetes", "High blood pressure", "An allergy"),
      },
      {
        name: "allergy",
        label: "Which allergy?",
        required: true,
        conditions: [{ field: "ill", operator: "contains", value: "An allergy" }],
      },
      { name: "pain", type: "rating", label: "How strong is the pain?", validation: { max: 10 } },
      { name: "terms", type: "consent", label: "My answers may be stored.", required: true },
      { name: "send", type: "submit", label: "Send" },
    ],
  },
  arabic: {
    title: "اتصل بنا",
    settings: { language: "ar" },
    fields: [
      { name: "who", label: "الاسم", required: true, css_class: "cf-half" },
      { name: "email", type: "email", label: "البريد الإلكتروني", required: true, css_class: "cf-half" },
      {
        name: "kind",
        type: "radio",
        label: "نوع الطلب",
        required: true,
        css_class: "cf-cards",
        options: options("سؤال\nعن خدماتنا", "شكوى\nنأخذها بجدية"),
      },
      { name: "stars", type: "rating", label: "تقييمك لنا", default_value: "3" },
      { name: "far", type: "range", label: "المسافة", validation: { min: 0, max: 50 } },
      { name: "send", type: "submit", label: "إرسال" },
    ],
  },
  bootstrap: {
    title: "Register",
    markup: `<div class="row"><div class="col-md-6"><label for="a" class="form-label">First name</label><input id="a" name="first" class="form-control" required></div>
      <div class="col-md-6"><label for="b" class="form-label">Last name</label><input id="b" name="last" class="form-control"></div></div>
      <div class="row"><div class="col"><label for="c">City</label><input id="c" name="city"></div><div class="col"><label for="d">Country</label><select id="d" name="country"><option>Austria</option><option>Italy</option></select></div></div>
      <label for="e">Budget</label><div class="input-group"><span class="input-group-text">€</span><input id="e" name="budget" type="number" min="1"><span class="input-group-text">.00</span></div>
      <div class="form-floating"><input id="f" name="mail" type="email" placeholder="x" required><label for="f">Email</label></div>
      <div class="form-check form-switch"><input class="form-check-input" type="checkbox" id="g" name="news"><label class="form-check-label" for="g">Send me the newsletter</label></div>
      <fieldset><legend>Size</legend><div class="btn-group"><input type="radio" class="btn-check" name="size" id="s" value="s"><label class="btn" for="s">Small</label><input type="radio" class="btn-check" name="size" id="l" value="l" checked><label class="btn" for="l">Large</label></div></fieldset>
      <div class="grid grid-cols-2"><label>Day <input type="date" name="day"></label><label>Time <input type="time" name="time"></label></div>
      <button class="btn btn-primary">Register</button>`,
  },
};
