/** What a process ends with whose settings are wrong: another start changes nothing, and systemd makes none. It has said which. */
export const settingsFaultCode = 78;

/** What a worker ends with that lacks what reads footage, or may not hold it back: an operator must act, and another start may find it. */
export const toolsMissingCode = 69;
