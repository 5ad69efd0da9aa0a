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
    what: 'Your account: your name, your e-mail address and whether it is proved, what you may do, what you wrote to the administrators, and when you signed up, were let in, and were told so.',
    untilWhen: 'Until you or an administrator delete it.',
    columns: {
      users: [
        ...['id', 'email', 'email_verified', 'name', 'chose_name', 'image', 'roles', 'auth_version', 'note'],
        ...['created_at', 'updated_at', 'activated_at', 'admins_told_at', 'activation_told_at'],
      ],
    },
  },
  {
    what: 'By what you sign in: an e-mail address, or a provider and what it calls you. Neither passwords nor the keys of a provider are kept.',
    untilWhen: 'Until the account is deleted.',
    columns: {
      accounts: [
        ...['id', 'user_id', 'provider_id', 'account_id', 'scope', 'created_at', 'updated_at', 'access_token', 'refresh_token'],
        ...['id_token', 'access_token_expires_at', 'refresh_token_expires_at', 'password'],
      ],
    },
  },
  {
    what: 'Every browser in which you are signed in: what it calls itself, how and when you signed in, and when it was last used.',
    untilWhen:
      'Until you sign out there, or for 24 hours without use and 14 days in all; for administrators 12 hours and 7 days. It is deleted within the hour after.',
    columns: { sessions: ['id', 'user_id', 'token_hash', 'created_at', 'last_seen_at', 'user_agent', 'signed_in_by', 'key_id'] },
  },
  {
    what: 'Keys that you made for scripts: what you called each, when you made it and until when it holds, and when it was last used; not the key itself.',
    untilWhen: 'Until you revoke it or your account is deleted. One that is over goes when you make the next.',
    columns: { keys: ['id', 'user_id', 'name', 'secret_hash', 'created_at', 'expires_at', 'last_used_at'] },
  },
  {
    what: 'Links that were asked for to sign in by e-mail: the address and the name that were entered, and the network that asked.',
    untilWhen: 'A day after the link ran out, which it does after 15 minutes.',
    columns: {
      sign_in_links: ['token_hash', 'email', 'name', 'network', 'wrong_addresses', 'created_at', 'expires_at', 'used_at'],
    },
  },
  {
    what: 'A sign-in at a provider that has begun and not ended.',
    untilWhen: 'For ten minutes; it is deleted within the hour after.',
    columns: { verifications: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'] },
  },
  {
    what: 'The record of what was done to people and films: who did it and to whom, with their names and e-mail addresses of that time, when, and from which network address.',
    untilWhen:
      'As long as there is the archive. Nobody can change it, and it stays when an account is deleted; only what names somebody in a film who is forgotten is blanked.',
    columns: {
      audit: [
        ...['at', 'action', 'actor_uid', 'actor_name', 'actor_email', 'subject_uid', 'subject_name', 'subject_email'],
        ...['before', 'detail', 'came_from'],
      ],
    },
  },
  {
    what: 'Which account corrected what is known of a film, or took that back, and when.',
    untilWhen: 'Until the film is deleted.',
    columns: { corrections: ['made_by', 'made_at', 'batch', 'undone_by', 'undone_at'] },
  },
  {
    what: 'Which account changed the list of brands, and when, so that the list before comes back.',
    untilWhen: 'Until there were ten further changes.',
    columns: { brand_lists_before: ['changed_by', 'changed_at'] },
  },
  {
    what: 'Files that you send to the archive from a browser: whose account sends them, what they are called, and when; while one takes the place of a film’s, the network address that asked for it.',
    untilWhen: 'Until seven days after something of a file came last; who added a film stays in the record of what was done.',
    columns: { uploads: ['user_id', 'file_name', 'created_at', 'touched_at', 'finished_at', 'finishing'] },
  },
  {
    what: 'What files are called that lie in the watched folder and could not be taken in.',
    untilWhen: 'Until the file is taken in or has gone from the folder.',
    columns: { watched_files: ['file_name', 'message'] },
  },
  {
    what: 'Which account deleted a film, when, and the reason that was written to it.',
    untilWhen:
      'Until the film is brought back, or erased, 30 days after that, or 36 where the archive keeps a database that may be restored to an earlier moment; what was done stays in the record of that.',
    columns: { deletions: ['deleted_by', 'deleted_at', 'reason'] },
  },
  {
    what: 'Which account decided who sees a film, when, and the reason that was written to it.',
    untilWhen: 'Until somebody decides anew, or the film is erased; what was decided stays in the record of that.',
    columns: { film_visibility: ['set_by', 'set_at', 'reason'] },
  },
  {
    what: 'In which browser a film was opened, so that a view counts once.',
    untilWhen: 'For six hours; it is deleted within the hour after. Then only the number of views is left.',
    columns: { recent_views: ['video_id', 'sid', 'viewed_at'] },
  },
  {
    what: 'Searches that found nothing, or of which nothing was opened: their words, how often, and when last. Who searched is not kept, and nor is any other search.',
    untilWhen: 'Until an editor takes them off their list.',
    columns: { unfound_queries: ['folded', 'text', 'found_nothing', 'opened_nothing', 'last_at'] },
  },
  {
    what: 'What films hold: who is seen and heard in them and what is said and written there, as far as the archive knows it, and who owns them.',
    untilWhen: 'Until the film is deleted.',
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
    what: 'While a film is being understood: what was heard and read in it so far, and of each face, numbers that tell it from others. These are biometric data.',
    untilWhen:
      'Until the archive has gone through the film or has given that up, or the film is deleted. The archive puts them into none of its backups.',
    columns: {},
  },
  {
    what: 'While an administrator lets people be recognised across films: of each face that an editor named, numbers that tell it from others. These are biometric data.',
    untilWhen: 'Until the name is taken back, they are forgotten, the film is deleted, or recognising is turned off. No backup holds them.',
    columns: {},
  },
  {
    what: 'Who was forgotten at their demand: when and where they were seen in which film, their name as a hash that tells it to nobody who does not know it, which administrator forgot them, and when.',
    untilWhen: 'As long as there is the archive, so that nothing brings them back.',
    columns: { erasures: ['video_id', 'name_mark', 'tracks', 'made_by', 'made_at'] },
  },
  {
    what: 'The network address that you come from, so that nobody asks for too much.',
    untilWhen: 'In memory only: it is gone with the next start of the archive.',
    columns: {},
  },
  {
    what: 'E-mail that the archive sends: to you, and to its administrators about your name and address when you sign up. An address that takes none is named in the log of the server.',
    untilWhen: 'As long as who received it, or runs the archive, keeps it.',
    columns: {},
  },
  {
    what: 'Backups of all this but what is in memory.',
    untilWhen: 'As long as whoever runs the archive keeps them.',
    columns: {},
  },
];
