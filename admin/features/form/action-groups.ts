/** Groups of the types of actions, in the picker's order. A type that no group lists comes from a plugin. */
import type { IconName } from "../../ui/icons.tsx";

export interface ActionGroup {
  readonly id: "mostUsed" | "chat" | "newsletter" | "tables" | "automation" | "text" | "plugins";
  readonly icon: IconName;
  readonly types: readonly string[];
}

export const PLUGINS: ActionGroup = { id: "plugins", icon: "plug", types: [] };

export const ACTION_GROUPS: readonly ActionGroup[] = [
  { id: "mostUsed", icon: "flow", types: ["email", "autoresponder", "webhook"] },
  { id: "chat", icon: "chat", types: ["slack", "microsoft_teams", "discord", "mattermost", "telegram"] },
  {
    id: "newsletter",
    icon: "people",
    types: ["mailchimp", "brevo", "mailerlite", "convertkit", "activecampaign", "hubspot"],
  },
  { id: "tables", icon: "table", types: ["airtable", "notion", "github_issue"] },
  { id: "automation", icon: "branch", types: ["zapier", "make", "n8n"] },
  { id: "text", icon: "phone", types: ["twilio_sms"] },
];

/** Types with their own icon. */
const ICONS: Readonly<Record<string, IconName>> = { email: "mail", autoresponder: "reply" };

const groupOf = (type: string): ActionGroup => ACTION_GROUPS.find(({ types }) => types.includes(type)) ?? PLUGINS;

export const actionIcon = (type: string): IconName => ICONS[type] ?? groupOf(type).icon;
