/** Queries of the analytics of `cf/v1`. */
import { queryOptions } from "@tanstack/react-query";
import type { Client } from "./client.ts";
import { type Days, keys } from "./keys.ts";

export const overviewQuery = (client: Client) =>
  queryOptions({ queryKey: keys.overview, queryFn: ({ signal }) => client.getAnalyticsOverview({}, { signal }) });

export const funnelQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "funnel", days),
    queryFn: ({ signal }) => client.getFunnel({ form_id: formId, ...days }, { signal }),
  });

export const dailyQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "daily", days),
    queryFn: ({ signal }) => client.getDailyStats({ form_id: formId, ...days }, { signal }),
  });

export const dropoffQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "dropoff", days),
    queryFn: ({ signal }) => client.getFieldDropoff({ form_id: formId, ...days }, { signal }),
  });

export const attributionQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "attribution", days),
    queryFn: ({ signal }) => client.getAttribution({ form_id: formId, ...days }, { signal }),
  });

export const spamTrendsQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "spam", days),
    queryFn: ({ signal }) => client.getSpamTrends({ form_id: formId, ...days }, { signal }),
  });

export const recommendationsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.numbers(formId, "recommendations"),
    queryFn: ({ signal }) => client.getRecommendations({ form_id: formId }, { signal }),
  });

export const answerSumsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.numbers(formId, "answers"),
    queryFn: ({ signal }) => client.getAnswerSums({ form_id: formId }, { signal }),
  });
