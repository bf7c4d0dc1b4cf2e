// Pages that were written before the folder was renamed load the admin from here.
export * from "../../admin/element/element.js";
