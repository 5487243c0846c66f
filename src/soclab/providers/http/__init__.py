"""
An agent behind a URL: one POST per stage.

settings: what the environment says · outgoing: the request · connection and transport: one kept-alive connection ·
reply_body: bounded reading · incoming: what an answer means · adapter: the provider that joins them.
"""
