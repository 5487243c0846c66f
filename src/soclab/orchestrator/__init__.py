"""The walk: leads one agent through the seven stages of one investigation. It proposes nothing and executes nothing."""
