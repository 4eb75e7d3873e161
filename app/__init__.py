"""The web service: its resources, and the jobs that compute what they promise."""
