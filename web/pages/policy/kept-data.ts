/** One sort of data about people that an archive keeps. */
interface KeptData {
  readonly what: string;
  readonly untilWhen: string;
  /** Where it stands in the database, as columns by table; a test holds every column of it to this, or to a list of what tells nothing of anybody. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** All that an archive keeps about people, in the words of the privacy page. */
export const keptAboutPeople: readonly KeptData[] = [
  {
    what: 'Your account: your name, your e-mail address and whether it is verified, your roles, your note to the administrators, and when you signed up, were activated and were told so.',
    untilWhen: 'Until you or an administrator deletes it.',
    columns: {
      users: [
        ...['id', 'email', 'email_verified', 'name', 'chose_name', 'image', 'roles', 'auth_version', 'note'],
        ...['created_at', 'updated_at', 'activated_at', 'admins_told_at', 'activation_told_at'],
      ],
    },
  },
  {
    what: 'How you sign in: an e-mail address, or a provider and its id for you. Passwords and provider keys are not stored.',
    untilWhen: 'Until the account is deleted.',
    columns: {
      accounts: [
        ...['id', 'user_id', 'provider_id', 'account_id', 'scope', 'created_at', 'updated_at', 'access_token', 'refresh_token'],
        ...['id_token', 'access_token_expires_at', 'refresh_token_expires_at', 'password'],
      ],
    },
  },
  {
    what: 'Every browser in which you are signed in: its name, how and when you signed in, and when it was last used.',
    untilWhen:
      'Until you sign out there, or after 24 hours without use and 14 days at most; for administrators, 12 hours and 7 days. Deleted within the following hour.',
    columns: { sessions: ['id', 'user_id', 'token_hash', 'created_at', 'last_seen_at', 'user_agent', 'signed_in_by', 'key_id'] },
  },
  {
    what: 'Keys that you created for scripts: the name of each, when it was created, expires and was last used; not the key itself.',
    untilWhen: 'Until you revoke it or your account is deleted. An expired key is deleted when you create the next one.',
    columns: { keys: ['id', 'user_id', 'name', 'secret_hash', 'created_at', 'expires_at', 'last_used_at'] },
  },
  {
    what: 'Sign-in links requested by e-mail: the address and name entered, and the network address of the request.',
    untilWhen: 'One day after the link expires, which it does after 15 minutes.',
    columns: {
      sign_in_links: ['token_hash', 'email', 'name', 'network', 'wrong_addresses', 'created_at', 'expires_at', 'used_at'],
    },
  },
  {
    what: 'An unfinished sign-in with a provider.',
    untilWhen: 'For ten minutes; deleted within the following hour.',
    columns: { verifications: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'] },
  },
  {
    what: 'The activity log of users and videos: who did what to whom, with their names and e-mail addresses at the time, when, and from which network address.',
    untilWhen:
      'As long as the archive exists. Nobody can change it, and it stays when an account is deleted; only the name of a person in a video who has been forgotten is removed from it.',
    columns: {
      audit: [
        ...['at', 'action', 'actor_uid', 'actor_name', 'actor_email', 'subject_uid', 'subject_name', 'subject_email'],
        ...['before', 'detail', 'came_from'],
      ],
    },
  },
  {
    what: 'Which account corrected a video’s details or transcript, or undid that, and when.',
    untilWhen: 'Until the video is erased.',
    columns: { corrections: ['made_by', 'made_at', 'batch', 'undone_by', 'undone_at'] },
  },
  {
    what: 'Which account changed the list of brands, and when, so that an earlier list can be restored.',
    untilWhen: 'Until ten further changes have been made.',
    columns: { brand_lists_before: ['changed_by', 'changed_at'] },
  },
  {
    what: 'Files that you upload from a browser: your account, the file names and when; while a file replaces that of a video, also the network address of the request.',
    untilWhen: 'Until seven days after the last part of a file arrived; who added a video stays in the activity log.',
    columns: { uploads: ['user_id', 'file_name', 'created_at', 'touched_at', 'finished_at', 'finishing'] },
  },
  {
    what: 'The names of files in the watched folder that could not be imported.',
    untilWhen: 'Until the file is imported or removed from the folder.',
    columns: { watched_files: ['file_name', 'message'] },
  },
  {
    what: 'Which account deleted a video, when, and the reason given.',
    untilWhen:
      'Until the video is restored, or erased 30 days later (36 where the archive’s database can be restored to an earlier moment); the activity log keeps the event.',
    columns: { deletions: ['deleted_by', 'deleted_at', 'reason'] },
  },
  {
    what: 'Which account set who can see a video, when, and the reason given.',
    untilWhen: 'Until this is changed or the video is erased; the activity log keeps the event.',
    columns: { film_visibility: ['set_by', 'set_at', 'reason'] },
  },
  {
    what: 'In which browser a video was opened, so that a view counts once.',
    untilWhen: 'For six hours; deleted within the following hour. After that, only the number of views is left.',
    columns: { recent_views: ['video_id', 'sid', 'viewed_at'] },
  },
  {
    what: 'Searches that found nothing, or whose results were not opened: their words, how often, and when last. Who searched is not stored, nor is any other search.',
    untilWhen: 'Until an editor dismisses them.',
    columns: { unfound_queries: ['folded', 'text', 'found_nothing', 'opened_nothing', 'last_at'] },
  },
  {
    what: 'The content of videos: who is seen and heard, what is said and written, as far as the archive knows, and who owns them.',
    untilWhen: 'Until the video is erased.',
    columns: {
      videos: ['name', 'description', 'owner', 'place', 'rights', 'people', 'labels', 'brands', 'file_name'],
      moments: ['body', 'word_starts'],
      layers: ['body', 'word_starts', 'facts'],
      corrections: ['replaces', 'says', 'fact', 'lines', 'place', 'appearances'],
      audit: ['video_name'],
      ingest_steps: ['message', 'result', 'details'],
      film_meaning: ['signs', 'checksum'],
      vocabulary: ['term'],
    },
  },
  {
    what: 'While a video is being analysed: what has been heard and read so far, and face data for each face. This is biometric data.',
    untilWhen: 'Until the analysis ends or the video is deleted. Backups do not contain it.',
    columns: {},
  },
  {
    what: 'While an administrator has people recognised across videos: face data for each face that an editor has named. This is biometric data.',
    untilWhen:
      'Until the name is undone, the person is forgotten, the video is deleted, or recognition is turned off. Backups do not contain it.',
    columns: {},
  },
  {
    what: 'People forgotten at their request: when and where they were seen in which video, their name as a hash that does not reveal it, which administrator forgot them, and when.',
    untilWhen: 'As long as the archive exists, so that nothing brings them back.',
    columns: { erasures: ['video_id', 'name_mark', 'tracks', 'made_by', 'made_at'] },
  },
  {
    what: 'Your network address, to limit the number of requests.',
    untilWhen: 'In memory only, until the archive restarts.',
    columns: {},
  },
  {
    what: 'E-mails that the archive sends: to you, and to its administrators when you sign up. An address that rejects e-mail appears in the server’s log.',
    untilWhen: 'As long as the recipient or the archive’s operator keeps them.',
    columns: {},
  },
  {
    what: 'Backups of all this, except what is only in memory.',
    untilWhen: 'As long as the archive’s operator keeps them.',
    columns: {},
  },
];
