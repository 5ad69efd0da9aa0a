-- No question is asked in these orders: the list of users is sorted by what its reader chose, and links are counted by their age.
drop index users_by_sign_up;
drop index sign_in_links_of_network;

alter index users_untold_of rename to users_admins_not_told;
alter index users_untold rename to users_not_told_of_activation;
